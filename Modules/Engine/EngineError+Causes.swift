import Models
import Persistence
import SystemCalls
import Transport

extension EngineError {
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .diskFull: .diskFull
      case .io, .readOnly: .io
      case .busy: .locked
      default: .store
      }
    self.init(code, error.detail)
  }

  /// A library that is there and cannot be written says so, whatever it was that failed first.
  static func readOnlyLibrary(_ layout: LibraryLayout, _ error: any Error) -> EngineError? {
    let isReadOnly =
      switch error {
      case let error as SystemError: error.isReadOnly || error.isNotPermitted
      case let error as StoreError: error.code == .readOnly
      default: false
      }
    guard isReadOnly, layout.folder.exists(layout.internals) else { return nil }
    return EngineError(
      .io, "the library \(layout.root) is read-only: \(wrapping(error).detail)")
  }

  init(_ error: SystemError) {
    self.init(error.isDiskFull ? .diskFull : .io, error.description)
  }

  /// An exchange for a source failed.
  init(_ error: TransportError) {
    let code = error.sinkError?.isDiskFull == true ? .diskFull : Code(error.code)
    self.init(code, "\(error.url): \(error.detail)")
  }

  /// A single resource could not be had.
  init(_ failure: DownloadFailure, url: String) {
    let code: Code =
      switch failure {
      case .transport(let code, _, _): Code(code)
      case .status, .protocolViolation, .content: .source
      case .tooLarge: .policy
      case .disk(_, let isFull): isFull ? .diskFull : .io
      case .cancelled: .interrupted
      }
    self.init(code, "\(url): \(failure.reason)")
  }

  /// Whatever was thrown, as an error of the engine.
  static func wrapping(_ error: any Error) -> EngineError {
    switch error {
    case let error as EngineError: error
    case let error as StoreError: EngineError(error)
    case let error as SystemError: EngineError(error)
    case let error as TransportError: EngineError(error)
    case is CancellationError: EngineError(.interrupted, "interrupted")
    default: EngineError(.io, "\(error)")
    }
  }
}

extension EngineError.Code {
  fileprivate init(_ code: TransportError.Code) {
    self =
      switch code {
      case .tls: .tls
      case .addressRefused, .limitExceeded: .policy
      case .tooManyRedirects, .badRedirect, .protocolViolation, .truncated: .source
      case .sink: .io
      case .cancelled: .interrupted
      default: .network
      }
  }
}
