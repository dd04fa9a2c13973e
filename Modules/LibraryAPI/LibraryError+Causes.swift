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
    return LibraryError(code, detail, underlying: self)
  }
}

extension SystemError: LibraryErrorConvertible {
  package var libraryError: LibraryError {
    LibraryError(isDiskFull ? .diskFull : .io, description, underlying: self)
  }
}

extension LibraryError {
  /// Whatever was thrown, as an error of the library. What no layer expects keeps its own words in
  /// brackets and is internal: it says nothing of a disk or a network.
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
