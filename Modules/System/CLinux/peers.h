#pragma once
// An inline function that finds the user at the other end of a TCP connection within this machine
// (sock_diag(7)).
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// Writes a socket address into the fields of a sock_diag request. Returns 0, or -1 for a family other than
/// IP.
static inline int imgdl_diag_end(const struct sockaddr_storage *end, __be32 address[4], __be16 *port) {
  if (end->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)end;
    memcpy(address, &v4->sin_addr, sizeof v4->sin_addr);
    *port = v4->sin_port;
    return 0;
  }
  if (end->ss_family != AF_INET6) return -1;
  const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)end;
  memcpy(address, &v6->sin6_addr, sizeof v6->sin6_addr);
  *port = v6->sin6_port;
  return 0;
}

/// Gets the user who owns the peer's end of a TCP connection within this machine. Returns 1 if the user is
/// known, 0 if that end does not exist (any more), and -1 if the kernel does not answer.
static inline int imgdl_tcp_peer_user(int socket_, uint32_t *user) {
  struct sockaddr_storage own, peer;
  socklen_t own_length = sizeof own, peer_length = sizeof peer;
  if (getsockname(socket_, (struct sockaddr *)&own, &own_length) != 0) return -1;
  if (getpeername(socket_, (struct sockaddr *)&peer, &peer_length) != 0) {
    return errno == ENOTCONN ? 0 : -1;
  }
  struct {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
  } request;
  memset(&request, 0, sizeof request);
  request.head.nlmsg_len = sizeof request;
  request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.head.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = (uint8_t)peer.ss_family;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~0u;
  request.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (imgdl_diag_end(&peer, request.body.id.idiag_src, &request.body.id.idiag_sport) != 0 ||
      imgdl_diag_end(&own, request.body.id.idiag_dst, &request.body.id.idiag_dport) != 0) {
    return -1;
  }
  int link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (link < 0) return -1;
  int result = -1;
  union {
    struct nlmsghdr head;
    char bytes[4096];
  } answer;
  ssize_t length = -1;
  if (send(link, &request, sizeof request, 0) == (ssize_t)sizeof request) {
    // The kernel has queued the answer before `send` returns.
    length = recv(link, &answer, sizeof answer, MSG_DONTWAIT);
  }
  if (length >= (ssize_t)sizeof(struct nlmsghdr) && NLMSG_OK(&answer.head, (size_t)length)) {
    if (answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY &&
        answer.head.nlmsg_len >= NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
      *user = ((struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_uid;
      result = 1;
    } else if (answer.head.nlmsg_type == NLMSG_ERROR &&
               answer.head.nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr)) &&
               ((struct nlmsgerr *)NLMSG_DATA(&answer.head))->error == -ENOENT) {
      result = 0;
    }
  }
  close(link);
  return result;
}
