/// The refusal of a request before the request reaches the library, or a failure to listen.
public struct ControlError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Part of the API: the `code` of an error response, like those of `LibraryError`.
  public enum Code: String, Sendable, CaseIterable {
    // Requests
    /// The request violates HTTP/1.1, or its path or parameters are malformed.
    case badRequest
    /// The body is not JSON, or a value in it is missing or of the wrong type.
    case badBody
    /// A value has the right type, but is out of range or malformed.
    case badValue
    case bodyTooLarge
    case headTooLarge
    case lengthRequired
    case unsupportedMediaType
    case unsupportedVersion
    case expectationFailed
    case methodNotAllowed
    /// No route matches the path.
    case notFound
    case noSuchResource
    case noSuchPage
    /// The file or image does not exist, has not been made yet, or was deleted.
    case noImage
    /// The row after which the list was to continue has been removed.
    case cursorGone
    /// The server no longer keeps the uploaded file.
    case uploadGone
    case tooManyCalls
    /// The requested range lies behind the end of the file.
    case rangeNotSatisfiable
    /// The request comes from another user or from a page of another site, or is not allowed through the
    /// loopback listener.
    case forbidden
    /// The request has no valid session, Bearer token or login token.
    case unauthenticated
    /// The `Host` field of the request names another host than this server.
    case misdirected
    /// This server has no web page, because its program is not imgdld.
    case noWebPage
    /// The request was not complete within the time limit.
    case tooSlow
    case tooManyConnections
    // Listening
    /// The path of the socket cannot be used, or other users can access the socket's folder.
    case folder
    /// The kernel refused to create or use a socket.
    case socket
    /// Another program uses the port.
    case portInUse
  }

  public let code: Code
  /// One sentence that names the field, the path or the limit.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }

  /// The status code of the response (RFC 9110 §15).
  var status: Int {
    switch code {
    case .badRequest, .badBody: 400
    case .badValue: 422
    case .bodyTooLarge: 413
    case .headTooLarge: 431
    case .lengthRequired: 411
    case .unsupportedMediaType: 415
    case .unsupportedVersion: 505
    case .expectationFailed: 417
    case .methodNotAllowed: 405
    case .notFound, .noSuchResource, .noSuchPage, .noImage: 404
    case .cursorGone, .uploadGone: 410
    case .tooManyCalls: 413
    case .rangeNotSatisfiable: 416
    case .forbidden: 403
    case .unauthenticated: 401
    case .misdirected: 421
    case .noWebPage, .portInUse: 409
    case .tooSlow: 408
    case .tooManyConnections: 503
    case .folder, .socket: 500
    }
  }
}
