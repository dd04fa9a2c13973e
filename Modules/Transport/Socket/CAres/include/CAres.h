#pragma once
// Declares the part of c-ares that imgdl uses, without <ares.h>: that header would export the system's socket
// types from this module, too, and Swift would find sockaddr in different modules depending on the other
// imports.

struct ares_channeldata;

/// The statuses of c-ares that imgdl distinguishes.
enum {
  imgdl_ares_success = 0,
  imgdl_ares_no_data = 1,
  imgdl_ares_format_error = 2,
  imgdl_ares_server_failure = 3,
  imgdl_ares_not_found = 4,
  imgdl_ares_not_implemented = 5,
  imgdl_ares_refused = 6,
  imgdl_ares_bad_name = 8,
  imgdl_ares_bad_response = 10,
  imgdl_ares_unreachable = 11,
  imgdl_ares_timeout = 12,
  imgdl_ares_stopped = 16,
  imgdl_ares_cancelled = 24,
};

/// The number of bytes of an address in `imgdl_ares_found`: 16 for the address in network order, of which
/// IPv4 uses the first 4, and 4 for the scope.
enum { imgdl_ares_address_size = 20 };

/// Called when a socket begins to wait for input (`reads`) or for output (`writes`). If both are 0,
/// c-ares is about to close the socket.
typedef void (*imgdl_ares_watch)(void *data, int descriptor, int reads, int writes);

/// Called when a lookup has ended, with `count` addresses and their time to live in seconds.
typedef void (*imgdl_ares_found)(void *argument, int status, int seconds,
                                 const unsigned char *addresses, int count);

/// Creates a channel.
/// - Parameters:
///   - file: The path of resolv.conf.
///   - milliseconds: The timeout of the first query to each server.
///   - is_diagnostic: Whether a failure that a server reports ends the lookup instead of a query to the next
///     server.
///   - servers: The servers, separated by commas; NULL means those of `file`.
/// - Returns: A status of c-ares.
int imgdl_ares_open(struct ares_channeldata **channel, const char *file, int milliseconds,
                    int tries, int is_diagnostic, const char *servers, imgdl_ares_watch watch,
                    void *data);

/// Ends all lookups and frees the channel.
void imgdl_ares_close(struct ares_channeldata *channel);

/// Starts a lookup, which calls `found` once, possibly before this function returns.
void imgdl_ares_look_up(struct ares_channeldata *channel, const char *name, int is_v6,
                        imgdl_ares_found found, void *argument);

/// Returns the time in milliseconds after which `imgdl_ares_process` must be called even without an event; -1
/// means no limit.
int imgdl_ares_timeout_milliseconds(struct ares_channeldata *channel);

/// Processes a descriptor that is readable and one that is writable (-1 means none), and timeouts.
void imgdl_ares_process(struct ares_channeldata *channel, int reads, int writes);

/// Writes the queried servers as text, as in `192.0.2.1:53 or [2001:db8::1]:53`, truncated to the buffer.
void imgdl_ares_servers(struct ares_channeldata *channel, char *buffer, int size);

/// Returns the message of c-ares for a status.
const char *imgdl_ares_status_text(int status);
