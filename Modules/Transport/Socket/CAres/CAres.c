#include "CAres.h"

#include <ares.h>
#include <arpa/inet.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(imgdl_ares_no_data == ARES_ENODATA && imgdl_ares_format_error == ARES_EFORMERR &&
                   imgdl_ares_server_failure == ARES_ESERVFAIL &&
                   imgdl_ares_not_found == ARES_ENOTFOUND &&
                   imgdl_ares_not_implemented == ARES_ENOTIMP &&
                   imgdl_ares_refused == ARES_EREFUSED && imgdl_ares_bad_name == ARES_EBADNAME &&
                   imgdl_ares_bad_response == ARES_EBADRESP &&
                   imgdl_ares_unreachable == ARES_ECONNREFUSED &&
                   imgdl_ares_timeout == ARES_ETIMEOUT &&
                   imgdl_ares_stopped == ARES_EDESTRUCTION &&
                   imgdl_ares_cancelled == ARES_ECANCELLED,
               "the statuses are those of c-ares");

int imgdl_ares_open(struct ares_channeldata **channel, const char *file, int milliseconds,
                    int tries, int is_diagnostic, const char *servers, imgdl_ares_watch watch,
                    void *data) {
  struct ares_options options;
  memset(&options, 0, sizeof options);
  options.flags = is_diagnostic ? ARES_FLAG_NOCHECKRESP : 0;
  options.timeout = milliseconds;
  options.tries = tries;
  // "fb" means the hosts file first, then the DNS servers. c-ares copies both strings.
  options.lookups = (char *)"fb";
  options.resolvconf_path = (char *)file;
  options.sock_state_cb = watch;
  options.sock_state_cb_data = data;
  int status = ares_init_options(channel, &options,
                                 ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
                                     ARES_OPT_LOOKUPS | ARES_OPT_RESOLVCONF |
                                     ARES_OPT_SOCK_STATE_CB);
  if (status != ARES_SUCCESS || !servers) return status;
  status = ares_set_servers_ports_csv(*channel, servers);
  if (status != ARES_SUCCESS) ares_destroy(*channel);
  return status;
}

void imgdl_ares_close(struct ares_channeldata *channel) { ares_destroy(channel); }

struct look_up {
  imgdl_ares_found found;
  void *argument;
};

/// Copies an address in the layout of `imgdl_ares_address_size`. Returns 1, or 0 for a family other
/// than IPv4 and IPv6.
static int copy_address(const struct sockaddr *address, unsigned char *output) {
  memset(output, 0, imgdl_ares_address_size);
  if (address->sa_family == AF_INET) {
    memcpy(output, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return 1;
  }
  if (address->sa_family != AF_INET6) return 0;
  const struct sockaddr_in6 *wide = (const struct sockaddr_in6 *)address;
  memcpy(output, &wide->sin6_addr, 16);
  memcpy(output + 16, &wide->sin6_scope_id, 4);
  return 1;
}

static void found(void *argument, int status, int timeouts, struct ares_addrinfo *list) {
  (void)timeouts;
  struct look_up look_up = *(struct look_up *)argument;
  free(argument);
  int count = 0;
  int seconds = INT_MAX;
  struct ares_addrinfo_node *node;
  for (node = list ? list->nodes : NULL; node; node = node->ai_next) count += 1;
  unsigned char *addresses = count ? malloc((size_t)count * imgdl_ares_address_size) : NULL;
  if (count && !addresses) status = ARES_ENOMEM;
  count = 0;
  // The time to live of an answer is the shortest one of its addresses and aliases.
  struct ares_addrinfo_cname *alias;
  for (alias = list ? list->cnames : NULL; alias; alias = alias->next)
    if (alias->ttl < seconds) seconds = alias->ttl;
  for (node = list && addresses ? list->nodes : NULL; node; node = node->ai_next) {
    if (node->ai_ttl < seconds) seconds = node->ai_ttl;
    count += copy_address(node->ai_addr, addresses + count * imgdl_ares_address_size);
  }
  look_up.found(look_up.argument, status, seconds, addresses, count);
  free(addresses);
  if (list) ares_freeaddrinfo(list);
}

void imgdl_ares_look_up(struct ares_channeldata *channel, const char *name, int is_v6,
                        imgdl_ares_found completion, void *argument) {
  struct look_up *look_up = malloc(sizeof *look_up);
  if (!look_up) {
    completion(argument, ARES_ENOMEM, 0, NULL, 0);
    return;
  }
  look_up->found = completion;
  look_up->argument = argument;
  struct ares_addrinfo_hints hints;
  memset(&hints, 0, sizeof hints);
  hints.ai_family = is_v6 ? AF_INET6 : AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(channel, name, NULL, &hints, found, look_up);
}

int imgdl_ares_timeout_milliseconds(struct ares_channeldata *channel) {
  struct timeval time;
  if (!ares_timeout(channel, NULL, &time)) return -1;
  if (time.tv_sec > 86400) return 86400000;
  return (int)(time.tv_sec * 1000 + (time.tv_usec + 999) / 1000);
}

void imgdl_ares_process(struct ares_channeldata *channel, int reads, int writes) {
  ares_process_fd(channel, reads < 0 ? ARES_SOCKET_BAD : reads,
                  writes < 0 ? ARES_SOCKET_BAD : writes);
}

void imgdl_ares_servers(struct ares_channeldata *channel, char *buffer, int size) {
  buffer[0] = 0;
  struct ares_addr_port_node *list = NULL;
  if (ares_get_servers_ports(channel, &list) != ARES_SUCCESS) return;
  int length = 0;
  for (struct ares_addr_port_node *node = list; node && length < size; node = node->next) {
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(node->family, &node->addr, text, sizeof text);
    int is_v6 = node->family == AF_INET6;
    length += snprintf(buffer + length, (size_t)(size - length), "%s%s%s%s:%d",
                       length ? " or " : "", is_v6 ? "[" : "", text, is_v6 ? "]" : "",
                       node->udp_port > 0 ? node->udp_port : 53);
  }
  ares_free_data(list);
}

const char *imgdl_ares_status_text(int status) { return ares_strerror(status); }
