#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Returns the number of the file system of a path (statfs(2)), or -1.
static inline int64_t imgdl_file_system_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (int64_t)status.f_type : -1;
}

// MARK: - Stores into mapped files (sigaction(2))

enum { imgdl_bus_error_status = 6 };

/// Ends the program after a store into the mapped index of a database for which the file system has no room, as a
/// kill would: the database is made for that. Any other bus error ends the program with its signal.
static inline void imgdl_handle_bus_error(int number, siginfo_t *info, void *context) {
  static const char text[] =
      "imgdl: the index of the database cannot be written: the disk is full, a quota is reached, or the disk has"
      " failed; nothing stored is lost: make room, then continue with 'imgdl-cli retry'\n";
  (void)context;
  // The line of the mapping ends with its path. Only calls that a handler of signals may make.
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  uintptr_t address = (uintptr_t)info->si_addr;
  uintptr_t bounds[2] = {0, 0};
  int part = 0, is_inside = 0;
  char buffer[512], tail[4] = {0, 0, 0, 0};
  for (ssize_t count; maps >= 0 && (count = read(maps, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < count; i++) {
      char c = buffer[i];
      if (c == '\n') {
        if (is_inside && memcmp(tail, "-shm", 4) == 0) {
          ssize_t told = write(2, text, sizeof text - 1);
          (void)told;
          _exit(imgdl_bus_error_status);
        }
        bounds[0] = bounds[1] = 0;
        part = 0;
        is_inside = 0;
        continue;
      }
      if (part < 2) {
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit >= 0) {
          bounds[part] = bounds[part] << 4 | (uintptr_t)digit;
        } else if (++part == 2) {
          is_inside = address >= bounds[0] && address < bounds[1];
        }
      }
      memmove(tail, tail + 1, 3);
      tail[3] = c;
    }
  }
  if (maps >= 0) close(maps);
  signal(number, SIG_DFL);
  // A store is repeated after the handler, and ends the program then; a signal from another process is not.
  if (info->si_code <= 0) raise(number);
}

/// Installs the handler of bus errors.
static inline int imgdl_catch_bus_errors(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = imgdl_handle_bus_error;
  action.sa_flags = SA_SIGINFO;
  return sigaction(SIGBUS, &action, 0);
}
