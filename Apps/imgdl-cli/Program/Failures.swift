import Engine
import Persistence
import SystemCalls
import Wiring

/// Errors of modules that reach the edge of the program as they are.
enum Failures {
  static func code(for error: any Error) -> ExitCode {
    switch error {
    case is WiringError: .usage
    case let error as StoreError: ExitCode(EngineError.store(error))
    case is SystemError: .disk
    case is CancellationError: .interrupted
    default: .internalError
    }
  }
}

extension EngineError {
  static func store(_ error: StoreError) -> EngineError {
    switch error.code {
    case .diskFull: EngineError(.diskFull, error.detail)
    case .busy: EngineError(.locked, error.detail)
    default: EngineError(.store, error.detail)
    }
  }
}
