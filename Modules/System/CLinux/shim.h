#pragma once
// Linux calls and macros that the Glibc module does not export, as static inline functions.
// Never define _GNU_SOURCE here: Swift's Glibc module is built without it, and types that change
// with it (fd_set, rusage) clash. A GNU function is declared inside the function that calls it.
#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <spawn.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: - Macros that are expressions

static inline int imgdl_o_tmpfile(void) { return __O_TMPFILE; }

static inline unsigned int imgdl_mfd_cloexec(void) { return MFD_CLOEXEC; }

// MARK: - GNU functions

static inline int imgdl_pipe2(int descriptors[2], int flags) {
  extern int pipe2(int descriptors[2], int flags);
  return pipe2(descriptors, flags);
}

static inline int imgdl_memfd_create(const char *name, unsigned int flags) {
  extern int memfd_create(const char *name, unsigned int flags);
  return memfd_create(name, flags);
}

static inline int imgdl_malloc_trim(size_t kept) {
  extern int malloc_trim(size_t kept);
  return malloc_trim(kept);
}

static inline int imgdl_syncfs(int descriptor) {
  extern int syncfs(int descriptor);
  return syncfs(descriptor);
}

/// Copies up to `count` bytes between the current positions of two files, and advances both positions.
static inline ssize_t imgdl_copy_file_range(int from, int to, size_t count) {
  return syscall(SYS_copy_file_range, from, (void *)0, to, (void *)0, count, 0u);
}

// MARK: - Messages with descriptors (unix(7), SCM_RIGHTS)

enum { imgdl_max_descriptors = 4 };

/// Sends the parts as one write, with `count` <= 4 descriptors attached to its first byte.
static inline ssize_t imgdl_send(int socket, const struct iovec *parts, int part_count,
                                 const int *descriptors, int count) {
  union {
    char bytes[CMSG_SPACE(sizeof(int) * imgdl_max_descriptors)];
    struct cmsghdr alignment;
  } control;
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = (struct iovec *)parts;
  message.msg_iovlen = (size_t)part_count;
  if (count > imgdl_max_descriptors) {
    errno = E2BIG;
    return -1;
  }
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// Receives bytes and at most 4 descriptors, which are close-on-exec. `*count` becomes the number of
/// descriptors, or -1 if more were sent, of which none stays open. If `waits` is 0, fails with EAGAIN if no
/// data is available.
static inline ssize_t imgdl_receive(int socket, void *buffer, size_t size, int *descriptors,
                                    int *count, int waits) {
  union {
    char bytes[CMSG_SPACE(sizeof(int) * imgdl_max_descriptors)];
    struct cmsghdr alignment;
  } control;
  struct iovec part = {buffer, size};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  *count = 0;
  ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
  if (result < 0) return result;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int got = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < got; i++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + sizeof(int) * (size_t)i, sizeof descriptor);
      if (*count < imgdl_max_descriptors) descriptors[(*count)++] = descriptor;
      else close(descriptor);
    }
  }
  if (message.msg_flags & MSG_CTRUNC) {
    for (int i = 0; i < *count; i++) close(descriptors[i]);
    *count = -1;
  }
  return result;
}

// MARK: - Processes

/// Returns a descriptor that becomes readable when the process ends (Linux 5.3).
static inline int imgdl_pidfd_open(int process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

static inline int imgdl_spawn_close_from(posix_spawn_file_actions_t *actions, int lowest) {
  extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
  return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

/// Returns the name of a signal without "SIG", such as "KILL" for 9, and NULL for an invalid signal number.
static inline const char *imgdl_signal_name(int signal) {
  extern const char *sigabbrev_np(int signal);
  return sigabbrev_np(signal);
}

static inline int imgdl_has_exited(int status) { return WIFEXITED(status); }
static inline int imgdl_exit_code(int status) { return WEXITSTATUS(status); }
static inline int imgdl_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

/// Makes orphaned descendants of this process its children (prctl(2)).
static inline void imgdl_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

// MARK: - The environment (Swift 6 rejects the C variable `environ` as shared mutable state)

static inline char *const *imgdl_environ(void) {
  extern char **environ;
  return environ;
}

// MARK: - epoll (struct epoll_event is packed, so only C code accesses its fields)

static inline int imgdl_epoll_ctl(int poller, int operation, int descriptor, uint32_t events,
                                  uint64_t token) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = token;
  return epoll_ctl(poller, operation, descriptor, &event);
}

static inline uint64_t imgdl_epoll_token(const struct epoll_event *events, int index) {
  return events[index].data.u64;
}

static inline uint32_t imgdl_epoll_events(const struct epoll_event *events, int index) {
  return events[index].events;
}

// MARK: - Threads

/// Names the calling thread, at most 15 characters, for top and perf.
static inline void imgdl_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// MARK: - Loopback server

#ifndef POLLRDHUP
#define POLLRDHUP 0x2000
#endif
static inline int imgdl_accept_cloexec(int socket) {
  return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC);
}
static inline int imgdl_pollrdhup(void) { return POLLRDHUP; }
static inline ssize_t imgdl_sendfile(int to, int from, off_t *offset, size_t count) {
  return sendfile(to, from, offset, count);
}

// MARK: - Files

/// Opens a path with openat2(2), without following symbolic links or magic links of /proc and, if `beneath`,
/// without leaving the folder. Fails with ENOSYS before Linux 5.6, and with EPERM in some old containers.
static inline int imgdl_open_without_links(int folder, const char *path, int flags,
                                           unsigned int mode, int beneath) {
  struct {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
  } how = {(uint64_t)(unsigned int)flags, flags & (O_CREAT | __O_TMPFILE) ? mode : 0,
           0x02 /* NO_MAGICLINKS */ | 0x04 /* NO_SYMLINKS */ | (beneath ? 0x08 /* BENEATH */ : 0)};
  return (int)syscall(437 /* openat2 */, folder, path, &how, sizeof how);
}

/// O_PATH of open(2), which Glibc's module hides: the descriptor only names a file or folder.
static inline int imgdl_o_path(void) { return __O_PATH; }

/// Deallocates the blocks of a file's range, which then reads as zeros; the file's length stays.
static inline int imgdl_punch_hole(int descriptor, off_t offset, off_t length) {
  extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
  return fallocate(descriptor, 0x01 /* FALLOC_FL_KEEP_SIZE */ | 0x02 /* FALLOC_FL_PUNCH_HOLE */,
                   offset, length);
}

// MARK: - Seals of memory files (memfd_create(2))

static inline int imgdl_memory_file(const char *name) {
  extern int memfd_create(const char *name, unsigned int flags);
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

/// Seals the length of a memory file, so that the length can no longer change.
static inline int imgdl_seal_length(int descriptor) {
  return fcntl(descriptor, 1033 /* F_ADD_SEALS */, 0x0002 | 0x0004 /* SHRINK, GROW */);
}

/// Seals the contents of a memory file for all processes. Fails with EBUSY while any process has a writable
/// mapping.
static inline int imgdl_seal_contents(int descriptor) {
  return fcntl(descriptor, 1033, 0x0001 | 0x0008 /* SEAL, WRITE */);
}

// MARK: - Sockets (unix(7), ip(7), ipv6(7))

static inline int imgdl_unix_address(struct sockaddr_un *address, const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

static inline int imgdl_unix_bind(int socket, const char *path) {
  struct sockaddr_un address;
  if (imgdl_unix_address(&address, path) != 0) return -1;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

static inline int imgdl_unix_connect(int socket, const char *path) {
  struct sockaddr_un address;
  if (imgdl_unix_address(&address, path) != 0) return -1;
  return connect(socket, (struct sockaddr *)&address, sizeof address);
}

/// Binds a TCP socket to a port of the loopback address of an IP version, 4 or 6. An IPv6 socket then serves
/// IPv6 only. Returns 0, or -1 with errno.
static inline int imgdl_loopback_bind(int socket, int version, uint16_t port) {
  if (version == 4) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return bind(socket, (struct sockaddr *)&address, sizeof address);
  }
  int yes = 1;
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  address.sin6_addr.s6_addr[15] = 1;
  if (setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) != 0) return -1;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

/// Returns the port of a bound TCP socket; 0 for another socket.
static inline uint16_t imgdl_socket_port(int socket) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}

/// Makes the kernel send TCP segments at once instead of waiting for more bytes (TCP_NODELAY of tcp(7)).
static inline void imgdl_send_at_once(int socket) {
  int yes = 1;
  setsockopt(socket, IPPROTO_TCP, 1 /* TCP_NODELAY */, &yes, sizeof yes);
}

static inline int imgdl_accept_nonblocking(int socket) {
  return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Gets the user and process of the peer at the time of connecting or listening (SO_PEERCRED). Returns 0, or
/// -1 with errno.
static inline int imgdl_peer(int socket, uint32_t *user, int32_t *process) {
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
  *user = peer.uid;
  *process = peer.pid;
  return 0;
}

/// Gets the path to which a Unix socket is bound. Returns the length without the NUL, or -1 for another
/// socket.
static inline int imgdl_unix_path(int socket, char *path, int capacity) {
  struct sockaddr_un address;
  socklen_t length = sizeof address;
  memset(&address, 0, sizeof address);
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return -1;
  if (address.sun_family != AF_UNIX || address.sun_path[0] != '/') return -1;
  size_t count = strnlen(address.sun_path, sizeof address.sun_path);
  if (count >= (size_t)capacity) return -1;
  memcpy(path, address.sun_path, count);
  path[count] = 0;
  return (int)count;
}

/// Sends one datagram to the Unix socket at `path`; a leading `@` denotes an abstract name. Returns 0, or -1
/// with errno.
static inline int imgdl_unix_send_datagram(const char *path, const void *bytes, size_t count) {
  struct sockaddr_un address;
  if (imgdl_unix_address(&address, path) != 0) return -1;
  size_t length = strlen(path);
  if (address.sun_path[0] == '@') address.sun_path[0] = 0;
  int raw = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (raw < 0) return -1;
  ssize_t sent = sendto(raw, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&address,
                        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  close(raw);
  return sent == (ssize_t)count ? 0 : -1;
}

/// Sends a signal to the process of a pidfd, never to another process with a reused number (Linux 5.1).
static inline int imgdl_pidfd_signal(int descriptor, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
}

/// Sets the size of a terminal in character cells. Returns 0 or -1.
static inline int imgdl_set_terminal_size(int descriptor, int columns, int rows) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
  return ioctl(descriptor, TIOCSWINSZ, &size);
}
