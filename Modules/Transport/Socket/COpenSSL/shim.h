#pragma once
// Inline functions for OpenSSL's macros, which Swift cannot call. Swift imports OpenSSL's functions
// directly.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int imgdl_ssl_ctx_require_tls12(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// Configures a context: imgdl stores the sessions itself, a TLS record is read with few system
/// calls, writes may be partial, and idle connections release their buffers.
static inline void imgdl_ssl_ctx_configure(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, 65536);
}

static inline long imgdl_ssl_set_server_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

static inline int imgdl_err_reason(unsigned long error) { return ERR_GET_REASON(error); }

/// Returns the errno of an error of a system call, and 0 for other errors.
static inline int imgdl_err_errno(unsigned long error) {
  return ERR_SYSTEM_ERROR(error) ? ERR_GET_REASON(error) : 0;
}
