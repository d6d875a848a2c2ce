/* What no scheduler of threads can control: other processes, signals, waiting for the outside world. */

#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>
#include <x86intrin.h>

#include "cases.h"

static void* nothing(void* argument) { return argument; }

static void forks(void) {
  if (fork() == 0) _exit(0);
}

static void vforks(void) {
  if (vfork() == 0) _exit(0);
}

static void runs_command(void) {
  if (system("true") != 0) abort();
}

static void opens_command(void) { pclose(popen("true", "r")); }

static void executes(void) { execlp("true", "true", (char*)NULL); }

static void cancels(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
}

static void kills_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
}

static void kills_itself(void) { kill(getpid(), SIGUSR1); }
static void raises(void) { raise(SIGUSR1); }
static void queues_signal(void) { sigqueue(getpid(), SIGUSR1, (union sigval){0}); }
static void sets_alarm(void) { alarm(1); }

static void sets_timer(void) {
  const struct itimerval soon = {{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, NULL);
  for (volatile long i = 0; i < 300000000; ++i) {
  }
}

static void on_signal(int number) { (void)number; }
static void handles_signal(void) { signal(SIGUSR1, on_signal); }

static void handles_signal_action(void) {
  struct sigaction action = {0};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, NULL);
}

static void blocks_signals(void) {
  static char touched[1 << 16];
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  for (unsigned i = 0; i < sizeof touched; i += 4096) touched[i] = 1;
  printf("done\n");
}

static void reads_pipe(void) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0 || read(ends[0], &byte, 1) != 1) abort();
}

/* What headers make of these calls with _FORTIFY_SOURCE. */
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
int __poll_chk(struct pollfd*, nfds_t, int, size_t);
int __open_2(const char*, int);

static void reads_pipe_checked(void) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0 || __read_chk(ends[0], &byte, 1, 1) != 1) abort();
}

static void receives_checked(void) {
  int ends[2];
  char byte;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || __recv_chk(ends[0], &byte, 1, 1, 0) != 1) abort();
}

static void polls_checked(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  struct pollfd descriptor = {ends[0], POLLIN, 0};
  __poll_chk(&descriptor, 1, -1, sizeof descriptor);
}

static void reads_random_file_checked(void) {
  char byte;
  if (read(__open_2("/dev/urandom", O_RDONLY), &byte, 1) != 1) abort();
}

static void gives_back_memory(void) { sbrk(-1); }

static void reads_full_pipe(void) {
  int ends[2];
  char byte = 1;
  if (pipe(ends) != 0 || write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1) abort();
}

static void reads_vector(void) {
  int ends[2];
  char byte;
  struct iovec vector = {&byte, 1};
  if (pipe(ends) != 0 || readv(ends[0], &vector, 1) != 1) abort();
}

static void reads_stream(void) {
  int ends[2];
  if (pipe(ends) != 0 || fgetc(fdopen(ends[0], "r")) != EOF) abort();
}

static void reads_full_stream(void) {
  int ends[2];
  char byte = 1;
  if (pipe(ends) != 0 || write(ends[1], &byte, 1) != 1 || fgetc(fdopen(ends[0], "r")) != 1) abort();
}

static void fills_pipe(void) {
  int ends[2];
  static char block[1 << 20];
  if (pipe(ends) != 0 || write(ends[1], block, sizeof block) < 0) abort();
}

static void receives(void) {
  int ends[2];
  char byte;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || recv(ends[0], &byte, 1, 0) != 1) abort();
}

static void polls(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  struct pollfd descriptor = {ends[0], POLLIN, 0};
  poll(&descriptor, 1, -1);
}

static void selects(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  select(ends[0] + 1, &set, NULL, NULL, NULL);
}

static void waits_for_events(void) {
  struct epoll_event event;
  epoll_wait(epoll_create1(0), &event, 1, -1);
}

static void reads_event(void) {
  eventfd_t value;
  eventfd_read(eventfd(0, 0), &value);
}

static void waits_for_child(void) { waitpid(-1, NULL, 0); }

static void waits_for_signal(void) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigwait(&set, &number);
}

static void suspends(void) {
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
}

static void pauses(void) { pause(); }

static void clones(void) {
  if (syscall(SYS_fork) == 0) _exit(0);
}

static int leave(void* argument) { return argument != NULL; }

static void clones_itself(void) {
  static char stack[1 << 16];
  clone(leave, stack + sizeof stack, SIGCHLD, NULL);
}

static void polls_masked(void) {
  struct pollfd input = {0, POLLIN, 0};
  const struct timespec moment = {0, 1000};
  ppoll(&input, 1, &moment, NULL);
}

static void selects_masked(void) {
  fd_set set;
  const struct timespec moment = {0, 1000};
  FD_ZERO(&set);
  FD_SET(0, &set);
  pselect(1, &set, NULL, NULL, &moment, NULL);
}

static void waits_for_events_masked(void) {
  struct epoll_event event;
  epoll_pwait(epoll_create1(0), &event, 1, 1, NULL);
}

static void waits_for_signal_in_time(void) {
  sigset_t set;
  const struct timespec moment = {0, 1000};
  sigemptyset(&set);
  sigtimedwait(&set, NULL, &moment);
}

static void sets_short_alarm(void) { ualarm(1000, 0); }

static void uses_system_semaphore(void) {
  struct sembuf operation = {0, 0, IPC_NOWAIT};
  semop(-1, &operation, 1);
}

static void receives_system_message(void) {
  struct {
    long type;
    char text[8];
  } message;
  msgrcv(-1, &message, sizeof message.text, 0, IPC_NOWAIT);
}

static void waits_for_events_exactly(void) {
  struct epoll_event event;
  const struct timespec moment = {0, 1000};
  epoll_pwait2(epoll_create1(0), &event, 1, &moment, NULL);
}

static void accepts_connection(void) {
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  const struct sockaddr anywhere = {AF_UNIX, {0}};
  if (bind(server, &anywhere, sizeof anywhere.sa_family) != 0 || listen(server, 1) != 0) abort();
  accept4(server, NULL, NULL, 0);
}

/* Whether there is a queue or not. */
static const struct timespec long_ago = {0, 0};
static void sends_message(void) { mq_send(-1, "a", 1, 0); }
static void sends_message_in_time(void) { mq_timedsend(-1, "a", 1, 0, &long_ago); }
static void wants_to_be_told(void) { mq_notify(-1, NULL); }

static void receives_message(void) {
  char text[8];
  mq_receive(-1, text, sizeof text, NULL);
}

static void receives_message_in_time(void) {
  char text[8];
  mq_timedreceive(-1, text, sizeof text, NULL, &long_ago);
}

/* The same by the numbers of the calls. */

static void reads_pipe_by_call(void) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0 || syscall(SYS_read, ends[0], &byte, 1) != 1) abort();
}

static void polls_by_call(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  struct pollfd descriptor = {ends[0], POLLIN, 0};
  syscall(SYS_poll, &descriptor, 1, 1);
}

static void waits_for_events_by_call(void) {
  struct epoll_event event;
  syscall(SYS_epoll_wait, epoll_create1(0), &event, 1, 1);
}

static void receives_message_by_call(void) {
  char text[8];
  syscall(SYS_mq_timedreceive, -1, text, sizeof text, NULL, &long_ago);
}

static void waits_for_addresses(void) { syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0); }
static void enters_ring(void) { syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0); }

/* What the C library has threads of its own for. */

static struct aiocb request = {.aio_fildes = -1, .aio_lio_opcode = LIO_READ};
static void reads_meanwhile(void) { aio_read(&request); }
static void writes_meanwhile(void) { aio_write(&request); }
static void synchronizes_meanwhile(void) { aio_fsync(O_SYNC, &request); }

static void waits_for_request(void) {
  const struct aiocb* const requests[] = {&request};
  aio_suspend(requests, 1, &long_ago);
}

static void lists_requests(void) {
  struct aiocb* const requests[] = {&request};
  lio_listio(LIO_NOWAIT, requests, 1, NULL);
}

static struct aiocb64 large_request = {.aio_fildes = -1};
static void reads_large_meanwhile(void) { aio_read64(&large_request); }

static void looks_up_meanwhile(void) {
  static struct gaicb name = {.ar_name = "localhost"};
  struct gaicb* names[] = {&name};
  getaddrinfo_a(GAI_NOWAIT, names, 1, NULL);
}

/* Its loader counts how often. */
static void loads_library_again(void) { dlopen("libc.so.6", RTLD_NOW); }

static void loads_library(void) { dlopen("libz.so.1", RTLD_NOW); }

static void forks_quietly(void) {
  if (_Fork() == 0) _exit(0);
}

static void goes_to_background(void) {
  if (daemon(1, 1) != 0) abort();
}

static void forks_for_terminal(void) {
  int terminal;
  if (forkpty(&terminal, NULL, NULL, NULL) == 0) _exit(0);
}

static void expands_command(void) {
  wordexp_t words;
  if (wordexp("$(true)", &words, 0) == 0) wordfree(&words);
}

static char* no_strings[] = {NULL};
static void executes_with_environment(void) { execle("/bin/true", "true", (char*)NULL, no_strings); }
static void executes_file(void) { fexecve(open("/bin/true", O_RDONLY), no_strings, no_strings); }
static void executes_relative(void) { execveat(AT_FDCWD, "/bin/true", no_strings, no_strings, 0); }
static void executes_by_call(void) { syscall(SYS_execve, "/bin/true", no_strings, no_strings); }
static void kills_group(void) { killpg(getpgrp(), 0); }
static void kills_by_numbers(void) { tgkill(getpid(), gettid(), 0); }
static void handles_signal_once(void) { sysv_signal(SIGUSR1, on_signal); }
static void handles_signal_set(void) {
  ((void (*)(int, void (*)(int)))dlsym(RTLD_DEFAULT, "sigset"))(SIGUSR1, on_signal);
}

static void joins_new(const pthread_attr_t* attributes) {
  pthread_t thread;
  pthread_create(&thread, attributes, nothing, NULL);
  pthread_join(thread, NULL);
}

static void gives_stack(void) {
  static char stack[1 << 20] __attribute__((aligned(4096)));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, sizeof stack);
  joins_new(&attributes);
}

static void wants_large_stack(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 32 << 20);
  joins_new(&attributes);
}

static void reads_random_file(void) { close(open("/dev/urandom", O_RDONLY)); }

static void lowers_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  --limit.rlim_cur;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void lowers_limit_of_process(void) {
  struct rlimit limit;
  prlimit(0, RLIMIT_NOFILE, NULL, &limit);
  --limit.rlim_cur;
  prlimit(0, RLIMIT_NOFILE, &limit, NULL);
}

static void is_nice(void) {
  if (nice(1) == -1) abort();
}

static void sets_priority(void) { setpriority(PRIO_PROCESS, 0, 1); }

static void chooses_processors(void) {
  cpu_set_t processors;
  sched_getaffinity(0, sizeof processors, &processors);
  sched_setaffinity(0, sizeof processors, &processors);
}

static void keeps_privileges(void) { prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static void begins_session(void) { setsid(); }
static void sets_flags(void) { fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK); }

static int opened_twice[2];

static void opens_twice(void) {
  char name[] = "norn-locks-XXXXXX";
  opened_twice[0] = mkstemp(name);
  opened_twice[1] = open(name, O_RDWR);
  unlink(name);
}

static void* locks_second(void* unused) {
  flock(opened_twice[1], LOCK_EX);
  return unused;
}

static void locks_file(void) {
  pthread_t thread;
  opens_twice();
  pthread_create(&thread, NULL, locks_second, NULL);
  pthread_join(thread, NULL);
}

static void waits_for_file(void) {
  opens_twice();
  flock(opened_twice[0], LOCK_EX);
  flock(opened_twice[1], LOCK_EX);
}

static void waits_for_file_by_fcntl(void) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  opens_twice();
  fcntl(opened_twice[0], F_OFD_SETLKW, &lock);
  fcntl(opened_twice[1], F_OFD_SETLKW, &lock);
}

static void* opened_early;

__attribute__((constructor)) static void opens_early(void) { opened_early = dlopen("libutil.so.1", RTLD_NOW); }
static void unloads_library(void) { dlclose(opened_early); }

static void waits_by_new_call(void) { syscall(455, &opened_twice, 0, 0, 0, NULL, 0); }

static atomic_int stamp;

static void prints_stamp(void) { printf("%llu\n", __rdtsc()); }
static void compares_stamp(void) {
  if (__rdtsc() >> 4 & 1)
    atomic_store(&stamp, 1);
  else
    atomic_load(&stamp);
}

CASES_MAIN({"dlopen", loads_library}, {"fork", forks}, {"vfork", vforks}, {"system", runs_command},
           {"popen", opens_command}, {"exec", executes}, {"pthread_cancel", cancels}, {"pthread_kill", kills_thread},
           {"kill", kills_itself}, {"raise", raises}, {"sigqueue", queues_signal}, {"alarm", sets_alarm},
           {"setitimer", sets_timer}, {"signal", handles_signal}, {"sigaction", handles_signal_action},
           {"sigmask", blocks_signals}, {"read", reads_pipe}, {"read_ready", reads_full_pipe}, {"readv", reads_vector},
           {"fgetc", reads_stream}, {"fgetc_ready", reads_full_stream}, {"write", fills_pipe}, {"recv", receives},
           {"poll", polls}, {"select", selects}, {"epoll_wait", waits_for_events}, {"eventfd", reads_event},
           {"waitpid", waits_for_child}, {"sigwait", waits_for_signal}, {"sigsuspend", suspends}, {"pause", pauses},
           {"clone", clones}, {"clone_function", clones_itself}, {"ppoll", polls_masked}, {"pselect", selects_masked},
           {"epoll_pwait", waits_for_events_masked}, {"sigtimedwait", waits_for_signal_in_time},
           {"ualarm", sets_short_alarm}, {"semop", uses_system_semaphore}, {"msgrcv", receives_system_message},
           {"_Fork", forks_quietly}, {"daemon", goes_to_background}, {"forkpty", forks_for_terminal},
           {"wordexp", expands_command}, {"execle", executes_with_environment}, {"fexecve", executes_file},
           {"execveat", executes_relative}, {"exec_call", executes_by_call}, {"killpg", kills_group},
           {"tgkill", kills_by_numbers}, {"sysv_signal", handles_signal_once}, {"sigset", handles_signal_set},
           {"stack", gives_stack}, {"stack_size", wants_large_stack}, {"urandom", reads_random_file},
           {"setrlimit", lowers_limit}, {"prlimit", lowers_limit_of_process}, {"nice", is_nice},
           {"setpriority", sets_priority}, {"sched_setaffinity", chooses_processors}, {"prctl", keeps_privileges},
           {"setsid", begins_session}, {"fcntl", sets_flags}, {"stamp_printed", prints_stamp},
           {"stamp_compared", compares_stamp}, {"read_chk", reads_pipe_checked}, {"recv_chk", receives_checked},
           {"poll_chk", polls_checked}, {"open_2", reads_random_file_checked}, {"sbrk", gives_back_memory},
           {"epoll_pwait2", waits_for_events_exactly}, {"accept4", accepts_connection}, {"mq_send", sends_message},
           {"mq_timedsend", sends_message_in_time}, {"mq_receive", receives_message},
           {"mq_timedreceive", receives_message_in_time}, {"mq_notify", wants_to_be_told},
           {"read_call", reads_pipe_by_call}, {"poll_call", polls_by_call},
           {"epoll_wait_call", waits_for_events_by_call}, {"mq_timedreceive_call", receives_message_by_call},
           {"futex_waitv_call", waits_for_addresses}, {"io_uring_enter_call", enters_ring},
           {"aio_read", reads_meanwhile}, {"aio_write", writes_meanwhile}, {"aio_fsync", synchronizes_meanwhile},
           {"aio_suspend", waits_for_request}, {"lio_listio", lists_requests}, {"aio_read64", reads_large_meanwhile},
           {"getaddrinfo_a", looks_up_meanwhile}, {"dlopen_again", loads_library_again}, {"flock", locks_file},
           {"flock_taken", waits_for_file}, {"fcntl_taken", waits_for_file_by_fcntl}, {"dlclose", unloads_library},
           {"futex_wait_call", waits_by_new_call})
