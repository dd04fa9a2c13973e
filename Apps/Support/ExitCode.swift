package import LibraryAPI

/// The exit codes that `Documentation/CommandLine.md` documents, the same for all programs.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case someFailed = 1
  case usage = 2
  case source = 3
  case network = 4
  case tls = 5
  case disk = 6
  case interrupted = 7
  case refused = 8
  case locked = 9
  /// The input of `imgdl-cli worker` is invalid (`EX_USAGE` of sysexits.h).
  case badShard = 64
  case internalError = 70
  /// The shard of `imgdl-cli worker` has to be repeated (`EX_TEMPFAIL`).
  case retryShard = 75

  package init(_ code: LibraryError.Code) {
    self =
      switch code {
      case .source, .noRanges: .source
      case .network: .network
      case .tls: .tls
      case .policy, .encrypted: .refused
      case .diskFull, .io, .store: .disk
      case .locked, .disconnected: .locked
      case .noSuchRecord: .usage
      case .interrupted: .interrupted
      case .internalError: .internalError
      }
  }

  /// Returns the first of the codes in the documented order; `success` if there is none.
  package static func first(of codes: [ExitCode]) -> ExitCode {
    codes.min { $0.rawValue < $1.rawValue } ?? .success
  }
}
