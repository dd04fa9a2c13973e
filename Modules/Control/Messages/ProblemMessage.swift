import HTTP1
import LibraryAPI
import Models
import Persistence

/// A description of a failed request, as `application/problem+json` (RFC 9457).
struct ProblemMessage: Codable, Equatable {
  /// A title for people, the same for each status code.
  var title: String
  var status: Int
  /// One sentence that names the cause and the field, file or URL concerned.
  var detail: String
  /// A stable code for programs, from `LibraryError.Code` or `ControlError.Code`.
  var code: String

  init(_ error: LibraryError) {
    self.init(status: Self.status(error.code), code: error.code.rawValue, detail: error.detail)
  }

  init(_ error: ControlError) {
    self.init(status: error.status, code: error.code.rawValue, detail: error.detail)
  }

  /// Describes any error that a handler threw.
  init(wrapping error: any Error) {
    switch error {
    case let error as LibraryError: self.init(error)
    case let error as ControlError: self.init(error)
    case let error as StoreError: self.init(LibraryError(.store, error.detail))
    case is CancellationError: self.init(LibraryError(.interrupted, ""))
    default: self.init(LibraryError(.internalError, "\(error)"))
    }
  }

  private init(status: Int, code: String, detail: String) {
    title = ReasonPhrase.text(status)
    self.status = status
    self.code = code
    self.detail = CredentialMask.masked(detail)
  }

  /// The response as a `LibraryError`. Codes that only `ControlError` has become `internalError`, except
  /// those of the web page.
  var libraryError: LibraryError {
    if let known = LibraryError.Code(rawValue: code) { return LibraryError(known, detail) }
    switch ControlError.Code(rawValue: code) {
    case .portInUse, .noWebPage: return LibraryError(.locked, detail)
    case .folder: return LibraryError(.io, detail)
    default: break
    }
    return LibraryError(.internalError, "the engine refused the request: \(detail)")
  }

  private static func status(_ code: LibraryError.Code) -> Int {
    switch code {
    case .noSuchRecord: 404
    case .locked: 409
    case .source: 422
    case .policy, .encrypted: 403
    // Failed Dependency (RFC 4918 §11.4): a remote server failed, not this server.
    case .network, .tls, .noRanges: 424
    case .interrupted: 503
    case .diskFull: 507
    default: 500
    }
  }
}
