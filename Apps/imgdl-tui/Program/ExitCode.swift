import LibraryAPI

/// How the program ended: codes as those of imgdl-cli.
enum ExitCode: Int32 {
  case done = 0
  case usage = 2
  case disk = 6
  case locked = 9
  case internalError = 70

  init(_ error: LibraryError) {
    self =
      switch error.code {
      case .locked, .disconnected: .locked
      case .diskFull, .io, .store: .disk
      default: .usage
      }
  }
}
