#pragma once

#include <string>
#include <vector>

#include "report/bug.hpp"

namespace norn {

// Operations in plain words.

/// For diagrams: "lock m", "load flag = 0", "notify_one c: wakes main/2". `after` is what an atomic object contained
/// after the operation, if that is known.
std::string event_text(const ReportedEvent& event, const std::string& after);

/// For sentences, after the name of the thread: "locked m", "stored 1 in flag".
std::string event_sentence(const ReportedEvent& event, const std::string& after);

/// For diagrams: "lock m: held by main/2", "wait c: nobody will notify it".
std::string wait_text(const ReportedWait& wait, const std::vector<std::string>& holders);

/// For sentences, after the name of the thread: "waits for m", "waits on c for a notification".
std::string wait_sentence(const ReportedWait& wait);

/// The operation takes a lock, if it succeeds.
bool is_lock(const std::string& operation);
/// The event took a lock.
bool takes_lock(const ReportedEvent& event);
/// The wait is for a lock, and not for a notification or an end.
inline bool is_lock_wait(const ReportedWait& wait) { return is_lock(wait.operation); }

/// The wait is for another thread to finish what is done only once.
bool is_once(const ReportedWait& wait);
/// Of who has what a thread waits for: "holds m", "runs the initialisation guarded by flag".
std::string holding_sentence(const ReportedWait& wait);

/// "writes 4 bytes", "frees".
std::string access_text(const ReportedAccess& access);
/// For sentences, after the name of the thread: "writes counter", "reads 4 bytes of the heap block of 24 bytes".
std::string access_sentence(const ReportedAccess& access);

}  // namespace norn
