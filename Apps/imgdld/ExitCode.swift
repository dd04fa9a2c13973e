import LibraryAPI

/// How the program ends: a part of the codes of imgdl-cli.
enum ExitCode: Int32 {
  case done = 0
  case usage = 2
  case disk = 6
  case refused = 8
  case locked = 9
  case internalError = 70

  init(_ error: LibraryError) {
    self =
      switch error.code {
      case .locked: .locked
      case .policy: .refused
      case .diskFull, .io, .store: .disk
      case .interrupted: .done
      default: .internalError
      }
  }
}

/// Ends the program with a message and a code.
struct Failure: Error {
  let code: ExitCode
  let message: String
}
