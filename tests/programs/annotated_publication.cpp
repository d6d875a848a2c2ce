// What is written for ThreadSanitizer is understood: that something happens before something else is believed.
//
// norn: pass
#include <atomic>
#include <string>
#include <thread>

#if defined(__SANITIZE_THREAD__)
#define HAS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER
#endif
#endif

#ifdef HAS_THREAD_SANITIZER
extern "C" void AnnotateHappensBefore(const char* file, int line, const volatile void* what);
extern "C" void AnnotateHappensAfter(const char* file, int line, const volatile void* what);
extern "C" void AnnotateBenignRaceSized(const char* file, int line, const volatile void* what, long size,
                                        const char* why);
#else
#define AnnotateHappensBefore(file, line, what)
#define AnnotateHappensAfter(file, line, what)
#define AnnotateBenignRaceSized(file, line, what, size, why)
#endif

static std::string text;
static std::atomic<bool> posted{false};

int main() {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &posted, sizeof posted, "it is not even one");
  std::size_t length = 0;
  std::thread reader([&] {
    while (!posted.load(std::memory_order_relaxed)) std::this_thread::yield();
    AnnotateHappensAfter(__FILE__, __LINE__, &posted);
    length = text.size();
  });
  text = "see you at the station";
  AnnotateHappensBefore(__FILE__, __LINE__, &posted);
  posted.store(true, std::memory_order_relaxed);
  reader.join();
  return length != 22;
}
