import COpenSSL
import Transport

/// A session ticket, which shortens the next handshake with the server.
///
/// Confined to the event loop whose connection received the ticket. OpenSSL counts the references
/// to the session.
final class TLSTicket {
  let session: OpaquePointer

  /// Takes ownership of the caller's reference to the session.
  init(_ session: OpaquePointer) { self.session = session }

  deinit { SSL_SESSION_free(session) }
}

/// The TLS state of one socket. Confined to the event loop of the socket.
final class TLSConnection {
  enum Handshake {
    case done
    case wouldBlock(forOutput: Bool)
    case failed(TLSFailure)
  }

  private let ssl: OpaquePointer
  private var isReady = false
  /// Whether a fatal error has occurred, after which not even close_notify may be sent.
  private var isBroken = false
  /// The meaning of the alert with which the server has refused the client's certificate. In TLS 1.3 it arrives when
  /// the handshake is complete on this side, in place of a response.
  private(set) var complaint: String?

  init(_ ssl: OpaquePointer) { self.ssl = ssl }

  deinit { SSL_free(ssl) }

  func handshake() -> Handshake {
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    if result == 1 {
      isReady = true
      return .done
    }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wouldBlock(forOutput: false)
    case SSL_ERROR_WANT_WRITE: return .wouldBlock(forOutput: true)
    case let code:
      isBroken = true
      return .failed(failure(code))
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    ERR_clear_error()
    let count = Int32(clamping: buffer.count)
    let result = SSL_read(ssl, buffer.baseAddress, count)
    return result > 0 ? .bytes(Int(result)) : outcome(result)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    ERR_clear_error()
    let result = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
    return result > 0 ? .bytes(Int(result)) : outcome(result)
  }

  /// Sends the TLS alert close_notify, which marks the end of the data (RFC 9112 §9.8). Never
  /// blocks.
  func sendCloseNotify() {
    guard isReady, !isBroken else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// The newest session ticket; nil if the server has sent no ticket that can be used.
  var ticket: TLSTicket? {
    guard isReady, !isBroken, let session = SSL_get1_session(ssl) else { return nil }
    let ticket = TLSTicket(session)
    return SSL_SESSION_is_resumable(session) == 1 ? ticket : nil
  }

  /// Whether the server has chosen HTTP/2 by ALPN; valid after the handshake.
  var hasAgreedOnHTTP2: Bool {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
  }

  /// Whether the handshake resumed an earlier session with a ticket.
  var isResumed: Bool { SSL_session_reused(ssl) == 1 }

  private func outcome(_ result: Int32) -> StreamResult {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .wouldBlock(forOutput: false)
    case SSL_ERROR_WANT_WRITE: return .wouldBlock(forOutput: true)
    case SSL_ERROR_ZERO_RETURN: return .ended(isClean: true)
    case let code:
      isBroken = true
      if isUnexpectedEnd(code) { return .ended(isClean: false) }
      return .failed(failure(code).reason)
    }
  }

  private func failure(_ code: Int32) -> TLSFailure {
    let verification = SSL_get_verify_result(ssl)
    if verification != Int(X509_V_OK), SSL_get_verify_mode(ssl) == SSL_VERIFY_PEER, !isReady {
      let text = X509_verify_cert_error_string(verification).map { String(cString: $0) }
      return TLSFailure(
        reason: (text ?? "certificate not accepted") + Self.remedy(for: verification))
    }
    if isUnexpectedEnd(code) {
      return TLSFailure(
        reason: "the server closed the connection during the TLS handshake", isConnectionLost: true)
    }
    if !isReady, imgdl_err_reason(ERR_peek_last_error()) == SSL_R_WRONG_VERSION_NUMBER {
      return TLSFailure(reason: TransportError.plainTextServer)
    }
    if code == SSL_ERROR_SYSCALL {
      return TLSFailure(reason: StreamSocket.lastReason(), isConnectionLost: true)
    }
    complaint = complaint(of: imgdl_err_reason(ERR_peek_last_error()))
    return TLSFailure(reason: complaint ?? TLSContext.lastError() ?? "TLS failed")
  }

  /// Returns the meaning of an alert with which a server refuses the client's certificate; nil for other errors.
  /// - Parameter reason: OpenSSL's reason; that of an alert is 1000 more than the number of the alert.
  private func complaint(of reason: Int32) -> String? {
    switch reason - SSL_AD_REASON_OFFSET {
    case SSL3_AD_HANDSHAKE_FAILURE:
      "the server accepts none of the offered TLS parameters, or requires a client certificate (--cert, network.certificate)"
    case TLS13_AD_CERTIFICATE_REQUIRED, SSL3_AD_NO_CERTIFICATE:
      "the server requires a client certificate (--cert, network.certificate)"
    case SSL3_AD_BAD_CERTIFICATE, SSL3_AD_UNSUPPORTED_CERTIFICATE, SSL3_AD_CERTIFICATE_REVOKED,
      SSL3_AD_CERTIFICATE_EXPIRED, SSL3_AD_CERTIFICATE_UNKNOWN, TLS1_AD_UNKNOWN_CA:
      Self.refusedCertificate
    // A signature that does not fit: that of the certificate's issuer, or that of the client's key.
    case TLS1_AD_DECRYPT_ERROR where SSL_get_certificate(ssl) != nil: Self.refusedCertificate
    default: nil
    }
  }

  private static let refusedCertificate =
    "the server does not accept the client certificate (--cert, network.certificate)"

  /// Returns the options that would accept a refused certificate, as the end of a sentence. Only a certificate
  /// without a known issuer can be accepted safely.
  private static func remedy(for verification: Int) -> String {
    switch Int32(truncatingIfNeeded: verification) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      "; --cacert FILE (network.caFile) trusts its issuer, -k (network.insecure) any certificate"
    default: "; -k (network.insecure) accepts any certificate, which is insecure"
    }
  }

  private func isUnexpectedEnd(_ code: Int32) -> Bool {
    code == SSL_ERROR_SSL
      && imgdl_err_reason(ERR_peek_last_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING
  }
}
