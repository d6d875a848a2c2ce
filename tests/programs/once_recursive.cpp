// A setting whose default is taken from the settings, which are read first.
//
// norn: bug deadlock
// norn expects: it runs itself since
#include <mutex>

std::once_flag settings_read;

void read_settings() {
  std::call_once(settings_read, [] { read_settings(); });
}

int main() { read_settings(); }
