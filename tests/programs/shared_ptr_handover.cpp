// A document that threads hand to each other by shared_ptr: whoever lets go of it last closes it.
//
// norn: pass
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>
#include <utility>

static std::atomic<int> open_documents{0};

struct Document {
  explicit Document(std::string words) : text(std::move(words)) { ++open_documents; }
  ~Document() { --open_documents; }
  const std::string text;
};

int main() {
  auto document = std::make_shared<const Document>("a document of more than a few words");
  const std::weak_ptr<const Document> bookmark = document;
  std::thread printer([copy = document] { assert(copy->text.starts_with("a document")); });
  std::thread archive([last = std::move(document)]() mutable {
    assert(last->text.size() == 35);
    last.reset();
  });
  if (auto found = bookmark.lock()) assert(found->text.ends_with("words"));
  printer.join();
  archive.join();
  assert(bookmark.expired());
  assert(open_documents == 0);
}
