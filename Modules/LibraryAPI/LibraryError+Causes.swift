import Models
package import Persistence
package import SystemCalls

/// An error of a layer below that can end an operation of the library.
package protocol LibraryErrorConvertible: Error {
  var libraryError: LibraryError { get }
}

extension StoreError: LibraryErrorConvertible {
  package var libraryError: LibraryError {
    let code: LibraryError.Code =
      switch code {
      case .diskFull: .diskFull
      case .io, .readOnly: .io
      case .busy: .locked
      default: .store
      }
    return LibraryError(code, detail)
  }
}

extension SystemError: LibraryErrorConvertible {
  package var libraryError: LibraryError {
    LibraryError(isDiskFull ? .diskFull : .io, description)
  }
}

extension LibraryError {
  /// Whatever was thrown, as an error of the engine.
  package static func wrapping(_ error: any Error) -> LibraryError {
    switch error {
    case let error as LibraryError: error
    case let error as any LibraryErrorConvertible: error.libraryError
    case is CancellationError: LibraryError(.interrupted, "interrupted")
    default: LibraryError(.io, "\(error)")
    }
  }
}
