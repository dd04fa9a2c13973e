#define _GNU_SOURCE
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { longest_farewell = 512, alternate_stack = 65536 };

static const int fatal[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE, SIGABRT, SIGTRAP,
                            SIGSYS,  SIGTERM, SIGHUP,  SIGINT, SIGQUIT};
static const int noticed[] = {SIGWINCH, SIGCONT, SIGTSTP};
static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { fatal_count = sizeof fatal / sizeof *fatal, noticed_count = sizeof noticed / sizeof *noticed };

// These variables change only while `armed` is not set; handlers read them only while it is set.
static struct termios saved_modes;
static int terminal_descriptor = -1;
static int notice_descriptor = -1;
static struct sigaction former_fatal[fatal_count];
static struct sigaction former_noticed[noticed_count];
// The bytes that restore the terminal. Two buffers alternate: no handler reads one while it is written.
static char farewells[2][longest_farewell];
static size_t farewell_lengths[2];
static atomic_int farewell;
// Whether the terminal is in the modes of a session, and must be restored.
static atomic_int armed;

static void write_all(const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(terminal_descriptor, bytes, length);
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    } else if (count < 0 && errno == EAGAIN) {
      // A terminal that accepts nothing for half a second is considered blocked.
      struct pollfd wait = {terminal_descriptor, POLLOUT, 0};
      if (poll(&wait, 1, 500) <= 0) return;
    } else if (count == 0 || errno != EINTR) {
      return;
    }
  }
}

void imgdl_terminal_restore(void) {
  if (!atomic_exchange(&armed, 0)) return;
  int text = atomic_load(&farewell);
  write_all(farewells[text], farewell_lengths[text]);
  // TCSADRAIN would wait for a terminal that may have stopped reading.
  tcsetattr(terminal_descriptor, TCSANOW, &saved_modes);
}

/// Whether the kernel raised a signal for an instruction, which fails again when the handler returns.
static int recurs(int signal, const siginfo_t *info) {
  return info->si_code > 0
      && (signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE);
}

static void die(int signal, siginfo_t *info, void *context) {
  (void)context;
  int code = errno;
  imgdl_terminal_restore();
  for (int i = 0; i < fatal_count; i++)
    if (fatal[i] == signal) sigaction(signal, &former_fatal[i], NULL);
  // A fault occurs again when this handler returns, and then reaches the former handler. Signals such as the
  // SIGHUP of a terminal that hangs up do not.
  if (!recurs(signal, info)) raise(signal);
  errno = code;
}

static void notice(int signal) {
  int code = errno;
  char byte = (char)signal;
  // If the pipe is full, its reader wakes up anyway, so a failed write is ignored.
  ssize_t ignored = write(notice_descriptor, &byte, 1);
  (void)ignored;
  errno = code;
}

static int is_interrupt(int signal) {
  for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
    if (interrupts[i] == signal) return 1;
  return 0;
}

static void install(int notices_interrupts) {
  for (int i = 0; i < fatal_count; i++) {
    struct sigaction action = {0};
    if (notices_interrupts && is_interrupt(fatal[i])) {
      action.sa_handler = notice;
      action.sa_flags = SA_RESTART;
    } else {
      action.sa_sigaction = die;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    }
    sigfillset(&action.sa_mask);
    sigaction(fatal[i], &action, &former_fatal[i]);
    // A signal that the parent process has ignored, as nohup(1) does, stays ignored.
    if (former_fatal[i].sa_handler == SIG_IGN) sigaction(fatal[i], &former_fatal[i], NULL);
  }
  for (int i = 0; i < noticed_count; i++) {
    struct sigaction action = {0};
    action.sa_handler = notice;
    action.sa_flags = SA_RESTART;
    sigaction(noticed[i], &action, &former_noticed[i]);
  }
}

int imgdl_terminal_arm(int terminal, const struct termios *modes, const void *bytes, size_t length,
                       int notices, int notices_interrupts) {
  static int registered;
  if (length > longest_farewell || atomic_load(&armed)) {
    errno = length > longest_farewell ? EMSGSIZE : EBUSY;
    return -1;
  }
  if (!registered) {
    // After a stack overflow a handler needs another stack; this one belongs to the calling thread.
    stack_t stack = {0};
    stack.ss_sp = malloc(alternate_stack);
    stack.ss_size = alternate_stack;
    stack_t former;
    if (stack.ss_sp && sigaltstack(NULL, &former) == 0 && (former.ss_flags & SS_DISABLE))
      sigaltstack(&stack, NULL);
    atexit(imgdl_terminal_restore);
    registered = 1;
  }
  saved_modes = *modes;
  terminal_descriptor = terminal;
  notice_descriptor = notices;
  imgdl_terminal_farewell(bytes, length);
  install(notices_interrupts);
  atomic_store(&armed, 1);
  return 0;
}

void imgdl_terminal_farewell(const void *bytes, size_t length) {
  if (length > longest_farewell) return;
  int other = 1 - atomic_load(&farewell);
  memcpy(farewells[other], bytes, length);
  farewell_lengths[other] = length;
  atomic_store(&farewell, other);
}

void imgdl_terminal_rearm(void) { atomic_store(&armed, 1); }

void imgdl_terminal_disarm(void) {
  imgdl_terminal_restore();
  for (int i = 0; i < fatal_count; i++) sigaction(fatal[i], &former_fatal[i], NULL);
  for (int i = 0; i < noticed_count; i++) sigaction(noticed[i], &former_noticed[i], NULL);
}

void imgdl_terminal_stop(void) {
  struct sigaction usual = {0}, ours;
  usual.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &usual, &ours);
  sigset_t stop, former;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &former);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  sigaction(SIGTSTP, &ours, NULL);
}

int imgdl_terminal_size(int terminal, int *columns, int *rows, int *width, int *height) {
  struct winsize size;
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
  return 0;
}
