/// Why a request was refused before the library heard of it, or why nobody can listen.
public struct ControlError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Part of the API: the `code` of an answer, beside those of `LibraryError`.
  public enum Code: String, Sendable, CaseIterable {
    // Requests
    /// It breaks HTTP/1.1, or the form of our paths and parameters.
    case badRequest
    /// The body is no JSON, or a value in it is missing or of another type.
    case badBody
    /// A value is of the right kind, but cannot be.
    case badValue
    case bodyTooLarge
    case headTooLarge
    case lengthRequired
    case unsupportedMediaType
    case unsupportedVersion
    case expectationFailed
    case methodNotAllowed
    /// No such path.
    case notFound
    case noSuchResource
    case noSuchPage
    /// There is no such file or picture, or not yet, or not any more.
    case noPicture
    /// The row at which a list was to continue is not there any more.
    case cursorGone
    case tooManyCalls
    /// Another user, or a web page.
    case forbidden
    /// The request did not come in time.
    case tooSlow
    case tooManyConnections
    // Listening
    /// The folder for sockets is not ours alone.
    case folder
    /// The kernel refused a socket.
    case socket
  }

  public let code: Code
  /// One sentence that names the field, the path or the limit.
  public let detail: String

  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }

  /// The status of the answer (RFC 9110 §15).
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
    case .notFound, .noSuchResource, .noSuchPage, .noPicture: 404
    case .cursorGone: 410
    case .tooManyCalls: 413
    case .forbidden: 403
    case .tooSlow: 408
    case .tooManyConnections: 503
    case .folder, .socket: 500
    }
  }
}
