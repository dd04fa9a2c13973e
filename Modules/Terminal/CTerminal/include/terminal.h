#pragma once
// The C parts of the module: signal handlers, which may call only async-signal-safe functions, and ioctl(2).
#include "blocks.h"

#include <stddef.h>
#include <termios.h>

/// Installs the signal handlers. A signal that ends this process then first restores the terminal's modes and
/// writes `bytes`, at most 512. SIGWINCH, SIGCONT and SIGTSTP are written to `notices` as one byte each; if
/// `notices_interrupts` is not 0, also SIGINT, SIGTERM and SIGHUP, which then do not end the process.
/// `terminal` and `notices` must stay open until `imgdl_terminal_disarm`. Returns 0, or -1 with errno.
int imgdl_terminal_arm(int terminal, const struct termios *modes, const void *bytes, size_t length,
                       int notices, int notices_interrupts);

/// Replaces the bytes that are written to the terminal when it is restored.
void imgdl_terminal_farewell(const void *bytes, size_t length);

/// Restores the terminal's modes and writes the farewell bytes, unless that has been done already.
void imgdl_terminal_restore(void);

/// Makes the signal handlers restore the terminal again after `imgdl_terminal_restore`.
void imgdl_terminal_rearm(void);

/// Restores the terminal and the former signal handlers.
void imgdl_terminal_disarm(void);

/// Stops this process as Ctrl-Z does; returns when it continues, or at once if no shell could continue it.
void imgdl_terminal_stop(void);

/// Reads the size of the terminal in cells and pixels; the pixels are 0 if the terminal does not report them.
/// Returns 0, or -1 with errno.
int imgdl_terminal_size(int terminal, int *columns, int *rows, int *width, int *height);
