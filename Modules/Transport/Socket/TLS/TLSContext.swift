import COpenSSL
import Models
import SystemCalls

/// The reason why TLS with a server failed, as in "certificate has expired".
struct TLSFailure: Error, Equatable {
  let reason: String
  /// Whether the connection was lost; otherwise the certificate or the protocol is at fault.
  var isConnectionLost = false
}

/// The TLS configuration for all servers: version 1.2 or later, certificates verified against the
/// system's authorities or those of a file, host names compared with the certificate's alternative
/// names and never with its subject (RFC 9110 §4.3.4).
///
/// `@unchecked Sendable`: the C handle is modified in `init` and `setClientCertificate` only, and OpenSSL
/// permits creating connections from it on any thread afterwards.
final class TLSContext: @unchecked Sendable {
  private let context: OpaquePointer
  private let isInsecure: Bool

  /// - Parameter authorities: The path of a PEM file, or empty for the system's authorities.
  init(authorities: String, isInsecure: Bool) throws(TLSFailure) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_client_method()) else {
      throw TLSFailure(reason: TLSContext.lastError() ?? "out of memory")
    }
    self.context = context
    self.isInsecure = isInsecure
    guard imgdl_ssl_ctx_require_tls12(context) == 1 else {
      throw TLSFailure(reason: TLSContext.lastError() ?? "TLS 1.2 is not available")
    }
    imgdl_ssl_ctx_configure(context)
    SSL_CTX_set_verify(context, isInsecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
    if !isInsecure { try loadAuthorities(authorities) }
  }

  deinit { SSL_CTX_free(context) }

  private func loadAuthorities(_ path: String) throws(TLSFailure) {
    guard !path.isEmpty else {
      SSL_CTX_set_default_verify_paths(context)
      return
    }
    guard SSL_CTX_load_verify_locations(context, path, nil) == 1 else {
      let reason = TLSContext.lastError() ?? "it contains no certificate"
      throw TLSFailure(reason: "cannot use the CA certificates in \(path): \(reason)")
    }
  }

  /// Configures the client certificate that is sent to servers that request one. Must be called
  /// before the first connection is created.
  /// - Parameters:
  ///   - certificate: The path of a PEM file with the certificate chain.
  ///   - key: The path of the PEM file with the private key, without a passphrase; empty if the
  ///     certificate's file contains the key.
  func setClientCertificate(certificate: String, key: String) throws(TLSFailure) {
    ERR_clear_error()
    // Without this callback OpenSSL would prompt for a passphrase on the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw unusable("certificate", certificate)
    }
    let keyFile = key.isEmpty ? certificate : key
    guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1,
      SSL_CTX_check_private_key(context) == 1
    else { throw unusable("key", keyFile) }
  }

  private func unusable(_ what: String, _ path: String) -> TLSFailure {
    TLSFailure(
      reason: "cannot use the \(what) of \(path): \(TLSContext.causeInFile() ?? "not PEM")")
  }

  /// Returns the cause of an error with a PEM file: the oldest one in this thread's queue, because the functions that
  /// pass it on add errors of their own.
  private static func causeInFile() -> String? {
    let code = ERR_peek_error()
    guard code != 0 else { return nil }
    let system = imgdl_err_errno(code)
    if system != 0 { return SystemError(errno: system, call: "open").reason }
    switch imgdl_err_reason(code) {
    case PEM_R_NO_START_LINE:
      return "not PEM; openssl pkcs12 -in FILE -nodes or openssl pkey -in FILE converts it"
    default: break
    }
    switch ERR_reason_error_string(code).map({ String(cString: $0) }) {
    // The callback for the passphrase has returned none.
    case "interrupted or cancelled", "bad password read", "problems getting password":
      return "it is encrypted; openssl pkey -in FILE -out FILE removes the passphrase"
    case "unsupported": return "it is not in the file"
    case let text: return text
    }
  }

  /// Creates the TLS state for one connected socket.
  /// - Parameters:
  ///   - host: The host of the URL, for which the certificate must be valid.
  ///   - offersHTTP2: Whether the server may choose HTTP/2.
  ///   - ticket: A session ticket of an earlier connection to the same origin; nil for a full
  ///     handshake.
  func connection(
    descriptor: Int32, host: String, isNumeric: Bool, offersHTTP2: Bool,
    resuming ticket: TLSTicket?
  ) throws(TLSFailure) -> TLSConnection {
    ERR_clear_error()
    guard let ssl = SSL_new(context) else {
      throw TLSFailure(reason: TLSContext.lastError() ?? "out of memory")
    }
    let connection = TLSConnection(ssl)
    guard SSL_set_fd(ssl, descriptor) == 1,
      setExpectedHost(host: host, isNumeric: isNumeric, of: ssl)
    else { throw TLSFailure(reason: TLSContext.lastError() ?? "cannot be set up") }
    let protocols = offersHTTP2 ? Self.http2AndHTTP1 : Self.http1
    SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count))
    if let ticket { SSL_set_session(ssl, ticket.session) }
    SSL_set_connect_state(ssl)
    return connection
  }

  /// The protocol names for ALPN, each preceded by its length (RFC 7301 §3.1).
  private static let http1 = [UInt8(8)] + Array("http/1.1".utf8)
  private static let http2AndHTTP1 = [UInt8(2)] + Array("h2".utf8) + http1

  private func setExpectedHost(host: String, isNumeric: Bool, of ssl: OpaquePointer) -> Bool {
    // The trailing dot of an absolute name is not part of the names in a certificate.
    let name = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    if !isNumeric, imgdl_ssl_set_server_name(ssl, name) != 1 { return false }
    if isInsecure { return true }
    let parameters = SSL_get0_param(ssl)
    if isNumeric { return X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 }
    X509_VERIFY_PARAM_set_hostflags(
      parameters,
      UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    return X509_VERIFY_PARAM_set1_host(parameters, name, 0) == 1
  }

  /// Returns the text of the newest error in this thread's error queue.
  static func lastError() -> String? {
    let code = ERR_peek_last_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return nil }
    return String(cString: text)
  }
}
