import Archive
import CommandLine
package import Composition
import LibraryAPI
import Persistence
import SystemCalls
import Wiring
import Models

/// A failure that ends a program with a message and an exit code. Every error that reaches the top of a
/// program is converted to a `ProgramFailure`.
package struct ProgramFailure: Error {
  package let code: ExitCode
  package let message: String

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// - Parameter settings: The loaded settings, whose origins the message of a bad setting names.
  package init(wrapping error: any Error, settings: LoadedSettings? = nil) {
    switch error {
    case let failure as ProgramFailure: self = failure
    case let error as UsageError:
      let hint = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""
      self.init(.usage, error.message + hint)
    case let error as WiringError: self.init(.usage, Self.message(error, settings))
    case let error as SettingError:
      self.init(error.isUnreadable ? .disk : .usage, error.description)
    case let error as LibraryError where error.code == .diskFull:
      self.init(.disk, error.detail + Self.continuation)
    case _ where LibraryOpener.isDamage(error):
      let detail = (error as? LibraryError)?.detail ?? "\(error)"
      self.init(.disk, detail + Self.wayOut)
    case let error as LibraryError: self.init(ExitCode(error.code), error.detail)
    case let error as StoreError where error.code == .diskFull:
      self.init(.disk, error.detail + Self.continuation)
    case let error as StoreError: self.init(error.code == .busy ? .locked : .disk, error.detail)
    // Only an archive being written ends a command; an archive that cannot be read fails its resource.
    case let error as ArchiveError: self.init(.disk, error.description)
    case let error as SystemError: self.init(.disk, error.description)
    case is CancellationError: self.init(.interrupted, "interrupted")
    default: self.init(.internalError, "\(error)")
    }
  }

  /// The end of the message of a full disk. Nothing is lost, so that any later run continues.
  private static let continuation =
    "; nothing stored is lost: make room, for example with 'imgdl-cli remove', then continue with"
    + " 'imgdl-cli retry'"

  /// The end of the message of a damaged database.
  package static let wayOut =
    "; the downloaded files are in the folders of the library, and nothing was changed. To begin anew"
    + " beside them, move the folder .imgdl away and add the sources again; 'imgdl-cli reset' empties .imgdl"

  /// The message of a wiring error, with the origin of the setting that chose the adapter.
  private static func message(_ error: WiringError, _ settings: LoadedSettings?) -> String {
    let port: String
    switch error {
    case .unknownAdapter(_, let name, _), .failed(let name, _, _): port = name
    default: return error.description
    }
    guard let origin = settings?.origin(of: "adapters.\(port)"), origin != .builtIn else {
      return error.description
    }
    return "\(origin): \(error)"
  }
}
