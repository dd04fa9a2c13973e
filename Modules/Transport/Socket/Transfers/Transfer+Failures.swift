import Models
import Transport

/// The errors with which a transfer fails.
extension Transfer {
  /// - Parameter delivered: The number of body bytes that the sink has received.
  func error(
    _ code: TransportError.Code, _ detail: String, delivered: Int64 = 0,
    sinkError: SinkError? = nil
  ) -> TransportError {
    TransportError(
      code, url: url, detail: detail, bytesDelivered: delivered, sinkError: sinkError)
  }

  /// Returns the error for a failure that the server caused; `detail` may contain text of the
  /// server, which is escaped.
  func serverError(
    _ code: TransportError.Code, _ detail: String, delivered: Int64
  ) -> TransportError {
    let escaped = TransportError.escaped(detail, limit: 300)
    return error(code, located(escaped), delivered: delivered)
  }

  /// Returns the error that the server has refused the client's certificate, or requires one.
  func refusedCertificate(_ socket: ConnectedSocket, delivered: Int64) -> TransportError {
    error(.tls, located(socket.certificateComplaint ?? ""), delivered: delivered)
  }

  /// Returns the detail, with the origin in front of it if a redirect has led to another one: messages begin with
  /// the URL that was requested, which would otherwise name the same server twice.
  func located(_ detail: String) -> String {
    hasLeftOrigin ? "\(url.origin): \(detail)" : detail
  }

  func sinkFailure(_ cause: SinkError, delivered: Int64) -> TransportError {
    error(.sink, cause.description, delivered: delivered, sinkError: cause)
  }

  func totalTimeout(delivered: Int64 = 0) -> TransportError {
    error(
      .totalTimeout, "not finished in \(limits.totalTimeout) s", delivered: delivered)
  }

  func idleTimeout(delivered: Int64) -> TransportError {
    error(
      .idleTimeout, "no data was received from \(url.origin) for \(limits.idleTimeout) s",
      delivered: delivered)
  }

  func lowSpeed(delivered: Int64) -> TransportError {
    error(.lowSpeed, SpeedWatch.reason(url, limits), delivered: delivered)
  }

  func refusal(of address: IPAddress) -> TransportError {
    error(.addressRefused, Self.reason(forRefusing: address))
  }

  static func reason(forRefusing address: IPAddress) -> String {
    "\(address) is not a public address, and the source must not lead there"
  }

  /// The error of a transfer that ends because the transport is shut down.
  var stopped: TransportError { error(.cancelled, "the transport is shut down") }
}
