package import LibraryAPI
import Models
import Persistence
import SystemCalls
import Transport

extension LibraryError {
  /// Returns the error for a library that is read-only, whichever operation failed first; nil if `error`
  /// has another cause.
  static func readOnlyLibrary(_ layout: LibraryLayout, _ error: any Error) -> LibraryError? {
    let isReadOnly =
      switch error {
      case let error as SystemError: error.isReadOnly || error.isNotPermitted
      case let error as StoreError: error.code == .readOnly
      default: false
      }
    guard isReadOnly, layout.folder.exists(layout.internals) else { return nil }
    return LibraryError(
      .io, "the library \(layout.root) is read-only: \(wrapping(error).detail)")
  }

  /// Creates the error for a single resource that could not be downloaded.
  init(_ failure: DownloadFailure, url: String) {
    let code: Code =
      switch failure {
      case .transport(let code, _, _): Code(code)
      case .status, .protocolViolation, .content, .everyMirror: .source
      case .tooLarge: .policy
      case .disk(_, let isFull): isFull ? .diskFull : .io
      case .cancelled: .interrupted
      }
    self.init(code, "\(url): \(failure.reason)", underlying: failure)
  }
}

/// Converts the transport's error in a request for a source.
extension TransportError: LibraryErrorConvertible {
  package var libraryError: LibraryError {
    let code: LibraryError.Code =
      switch sinkError {
      case let sink? where sink.isDiskFull: .diskFull
      case let sink? where !sink.isOfDisk: .source
      default: LibraryError.Code(self.code)
      }
    return LibraryError(code, "\(url): \(detail)")
  }
}

extension LibraryError.Code {
  fileprivate init(_ code: TransportError.Code) {
    self =
      switch code {
      case .tls: .tls
      case .addressRefused, .limitExceeded: .policy
      case .tooManyRedirects, .badRedirect, .redirectNotPermitted, .protocolViolation, .truncated:
        .source
      case .sink: .io
      case .cancelled: .interrupted
      default: .network
      }
  }
}
