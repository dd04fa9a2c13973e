#pragma once
// c-ares without its header, which brings the system's sockets into the module: which module Swift
// finds sockaddr in would then hang on what else is imported.

struct ares_channeldata;

/// The statuses of c-ares that are told apart.
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

/// Bytes of an address in `imgdl_ares_found`: 16 of the address in network order, of which IPv4 uses
/// the first four, and 4 of the scope.
enum { imgdl_ares_address_size = 20 };

/// Whether a socket waits for input, for output, or is about to be closed (neither).
typedef void (*imgdl_ares_watch)(void *data, int descriptor, int reads, int writes);

/// The end of a look-up: so many addresses, which hold for so many seconds.
typedef void (*imgdl_ares_found)(void *argument, int status, int seconds,
                                 const unsigned char *addresses, int count);

/// - Parameters:
///   - file: resolv.conf.
///   - milliseconds: for the first try with each server.
///   - is_telling: answers of failure are passed on in place of asking the next server.
///   - servers: in place of the file's, with commas; NULL: the file's.
/// - Returns: a status.
int imgdl_ares_open(struct ares_channeldata **channel, const char *file, int milliseconds,
                    int tries, int is_telling, const char *servers, imgdl_ares_watch watch,
                    void *data);

/// Ends all look-ups.
void imgdl_ares_close(struct ares_channeldata *channel);

/// Calls `found` once, perhaps before it returns.
void imgdl_ares_look_up(struct ares_channeldata *channel, const char *name, int is_v6,
                        imgdl_ares_found found, void *argument);

/// Milliseconds until `imgdl_ares_process` is to be called though nothing came; -1: never.
int imgdl_ares_timeout_milliseconds(struct ares_channeldata *channel);

/// Descriptors that can be read or written; -1: none.
void imgdl_ares_process(struct ares_channeldata *channel, int reads, int writes);

/// Who is asked, as in `192.0.2.1:53 or [2001:db8::1]:53`, cut where the buffer ends.
void imgdl_ares_servers(struct ares_channeldata *channel, char *buffer, int size);

/// A status in words.
const char *imgdl_ares_words(int status);
