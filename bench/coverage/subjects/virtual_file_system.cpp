// Five users of a virtual file system make, read, write, rename and remove files and directories in it, and a sixth
// thread hears of what they do.
//
// norn: pass
#include <cstddef>
#include <string>
#include <thread>

#include "driver.hpp"
#include "vfs/checker.hpp"
#include "vfs/file_system.hpp"
#include "vfs/session.hpp"

using vfs::EventKind;
using vfs::FileSystem;
using vfs::OpenMode;
using vfs::Session;
using vfs::Status;

static void prepare(FileSystem& files) {
  const auto provider = files.mount("/data", "memory");
  require(static_cast<bool>(provider), "a provider can be mounted");
  require(files.mount_read_only("/shown", **provider) == Status::ok, "it can be mounted again");
  for (const char* user : {"author", "editor", "mover", "cleaner"})
    files.access().grant(user, "/data", vfs::Right::write);
}

static void fill(FileSystem& files) {
  require(files.create_directories("/data/letters/old") == Status::ok, "directories can be made");
  require(files.create_file("/data/letters/a") == Status::ok, "files can be made");
  require(files.create_file("/data/notes") == Status::ok, "files can be made");
}

static void write_letters(FileSystem& files) {
  Session session(files, "author", "/data");
  session.change_directory("letters");
  session.save("a", "dear reader");
  session.make_file("b");
  if (const auto handle = session.open("b", OpenMode::append)) {
    files.write(*handle, "yours");
    files.seek(*handle, 0);
    require(files.read(*handle, 5).value_or("yours") == "yours", "nobody else writes there");
    session.close(*handle);
  }
  files.set_attribute("/data/letters/b", "kind", "letter");
  session.rename("b", "c");
}

static void label(vfs::Attributes& attributes) {
  attributes.set("kind", "copy");
  attributes.remove("kind");
  require(attributes.names().empty() && attributes.changes() > 0, "nobody else labels the copy");
  attributes.lock_values(true);
}

static void edit(FileSystem& files) {
  Session session(files, "editor", "/data");
  const auto handle = session.open("notes", OpenMode::write);
  session.save("letters/a", "dear all");
  if (handle) files.write(*handle, "edited");
  files.copy_file("/data/notes", "/data/copy");
  session.load("copy");
  if (const auto copy = files.resolve("/data/copy")) label((*copy)->attributes());
  files.access().revoke("editor", "/data", vfs::Right::write);
  require(session.open_handles() <= 1, "one file is open");
}

static void move(FileSystem& files) {
  Session session(files, "mover", "/data");
  session.rename("letters/a", "letters/old/a");
  session.make_directory("archive");
  session.rename("letters", "archive/letters");
  require(session.rename("archive", "archive/letters/old") != Status::ok, "nothing moves into itself");
  files.mount("/more", "memory");
  files.node_cache().size();
  files.mounts().users("/data");
}

static void lock_if_free(FileSystem& files, int file) {
  if (!files.locks().try_lock_exclusive(file)) return;
  files.locks().downgrade(file);
  files.locks().unlock_shared(file);
}

static void clean(FileSystem& files) {
  Session session(files, "cleaner", "/data/letters");
  files.list_like("/data", "*");
  session.remove("b");
  session.remove("/data/notes");
  session.remove("old");
  files.content_cache().clear();
  files.unmount("/more");
  if (const auto letter = files.resolve_file("/data/letters/a")) lock_if_free(files, (*letter)->number());
  require(files.journal().history("/data/notes").size() >= 1, "the notes have a history");
}

static void read(FileSystem& files, vfs::Listener& watcher) {
  Session session(files, "reader", "/shown");
  files.events().subscribe(watcher, "/data/letters");
  require(session.make_file("x") == Status::no_access, "a reader may not write");
  const auto text = session.load("letters/a").value_or("");
  require(text.empty() || text.starts_with("dear "), "letters are read as they were saved");
  const auto handle = session.open("notes", OpenMode::read);
  files.list("/shown/letters");
  files.info("/data/letters/a");
  files.attribute("/data/letters/b", "kind");
  if (handle) require(files.write(*handle, "x") == Status::read_only, "a handle to read cannot write");
  files.events().unsubscribe(watcher);
  require(files.statistics().total() > 0 && files.clock().now() > 0, "there were operations");
}

// What the thread that hears of events makes of them.
static int hear(vfs::EventQueue& queue) {
  int heard = 0;
  while (queue.take()) ++heard;
  return heard;
}

int main() {
  FileSystem files;
  prepare(files);
  vfs::EventCounter counter;
  vfs::EventQueue queue;
  vfs::EventCounter watcher;
  vfs::NameIndex index;
  files.events().subscribe(counter, "/");
  files.events().subscribe(queue, "/");
  files.events().subscribe(index, "/data");
  fill(files);

  int heard = 0;
  std::thread hearing([&] { heard = hear(queue); });
  run_together({
      [&] { write_letters(files); },
      [&] { edit(files); },
      [&] { move(files); },
      [&] { clean(files); },
      [&] { read(files, watcher); },
  });
  queue.close();
  hearing.join();

  require(heard == counter.total() && watcher.total() <= heard, "every event was heard");
  require(counter.count(EventKind::renamed) == files.statistics().successes(vfs::Operation::rename),
          "every success was told");
  vfs::Checker checker(files);
  require(checker.nothing_is_left(), "everything was closed and finished");
  require(checker.tree_is_sound(), "the tree is a tree");
  require(checker.quota_is_right("/data"), "the quota is what the files have");
  require(checker.caches_are_right(), "the caches know the truth");
  require(checker.index_is_right(index, "/data"), "the index knows all names");
}
