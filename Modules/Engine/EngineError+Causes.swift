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

  init(_ error: SystemError) {
    self.init(error.isDiskFull ? .diskFull : .io, error.description)
  }

  /// An exchange for a source failed.
  init(_ error: TransportError) {
    let code: Code =
      switch error.code {
      case .tls: .tls
      case .addressRefused, .limitExceeded: .policy
      case .tooManyRedirects, .badRedirect, .protocolViolation, .truncated: .source
      case .sink: error.sinkError?.isDiskFull == true ? .diskFull : .io
      case .cancelled: .interrupted
      default: .network
      }
    self.init(code, "\(error.url): \(error.detail)")
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
