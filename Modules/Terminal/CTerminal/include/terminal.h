#pragma once
// What has to be C: handlers of signals, which may call next to nothing, and ioctl(2).
#include "blocks.h"

#include <stddef.h>
#include <termios.h>

/// From now on, a signal that ends this process first sets the terminal's modes back and writes
/// `bytes` to it (at most 512). SIGWINCH, SIGCONT and SIGTSTP are written to `notices` as one byte
/// each; with `notices_interrupts` so are SIGINT, SIGTERM and SIGHUP, which then end nothing by themselves.
/// `terminal` and `notices` stay open until `imgdl_terminal_disarm`. 0, or -1 with errno.
int imgdl_terminal_arm(int terminal, const struct termios *modes, const void *bytes, size_t length,
                       int notices, int notices_interrupts);

/// Other bytes for the same.
void imgdl_terminal_farewell(const void *bytes, size_t length);

/// Sets modes back and writes the bytes now, if nobody has yet.
void imgdl_terminal_restore(void);

/// The terminal is ours again after `imgdl_terminal_restore`.
void imgdl_terminal_rearm(void);

/// Signals mean what they did before.
void imgdl_terminal_disarm(void);

/// Stops this process as Ctrl-Z does, and returns when it goes on; at once where nobody could
/// continue it.
void imgdl_terminal_stop(void);

/// 0, or -1 with errno. Pixels are 0 where the terminal does not tell.
int imgdl_terminal_size(int terminal, int *columns, int *rows, int *width, int *height);
