import Models
package import Persistence
package import SystemCalls

/// An error of a layer below that can end an operation of the library.
package protocol EngineErrorConvertible: Error {
  var engineError: EngineError { get }
}

extension StoreError: EngineErrorConvertible {
  package var engineError: EngineError {
    let code: EngineError.Code =
      switch code {
      case .diskFull: .diskFull
      case .io, .readOnly: .io
      case .busy: .locked
      default: .store
      }
    return EngineError(code, detail)
  }
}

extension SystemError: EngineErrorConvertible {
  package var engineError: EngineError {
    EngineError(isDiskFull ? .diskFull : .io, description)
  }
}

extension EngineError {
  /// Whatever was thrown, as an error of the engine.
  package static func wrapping(_ error: any Error) -> EngineError {
    switch error {
    case let error as EngineError: error
    case let error as any EngineErrorConvertible: error.engineError
    case is CancellationError: EngineError(.interrupted, "interrupted")
    default: EngineError(.io, "\(error)")
    }
  }
}
