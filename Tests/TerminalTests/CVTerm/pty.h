#pragma once
// Pseudo-terminals, which Swift's Glibc does not export.
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>

/// The side of the terminal emulator, not waiting, and the name of the other one; -1 with errno.
static inline int imgdl_pty_open(char *name, size_t length) {
  extern int posix_openpt(int), grantpt(int), unlockpt(int), ptsname_r(int, char *, size_t);
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0 || grantpt(master) || unlockpt(master) || ptsname_r(master, name, length))
    return -1;
  return master;
}

static inline int imgdl_pty_resize(int terminal, int columns, int rows) {
  struct winsize size = {(unsigned short)rows, (unsigned short)columns, 0, 0};
  return ioctl(terminal, TIOCSWINSZ, &size);
}

/// The flags of input, output, control and local modes.
static inline int imgdl_pty_modes(int terminal, unsigned modes[4]) {
  struct termios now;
  if (tcgetattr(terminal, &now) != 0) return -1;
  modes[0] = now.c_iflag;
  modes[1] = now.c_oflag;
  modes[2] = now.c_cflag;
  modes[3] = now.c_lflag;
  return 0;
}
