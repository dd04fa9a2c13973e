import Models
package import Persistence
package import SystemCalls

/// An error of a lower layer that can end an operation of the library.
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
    return LibraryError(code, detail, underlying: self)
  }
}

extension SystemError: LibraryErrorConvertible {
  package var libraryError: LibraryError {
    LibraryError(isDiskFull ? .diskFull : .io, description, underlying: self)
  }
}

extension LibraryError {
  /// Converts any error to an error of the library. An unexpected error becomes `internalError`, with its
  /// description in brackets, since its cause is unknown.
  package static func wrapping(_ error: any Error) -> LibraryError {
    switch error {
    case let error as LibraryError: error
    case let error as any LibraryErrorConvertible: error.libraryError
    case is CancellationError:
      LibraryError(.interrupted, "", underlying: error)
    default: LibraryError(.internalError, "the operation failed (\(error))", underlying: error)
    }
  }
}
