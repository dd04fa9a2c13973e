import Aria2
import LibraryAPI
import SystemCalls

/// The session file of the aria2 interface, `.imgdl/aria2.session`: the downloads that have not ended. Only the
/// user can read it, since options may contain passwords. All methods block.
struct Aria2SessionFile: Sendable {
  /// The absolute path of the file.
  let path: String
  private let layout: LibraryLayout

  init(libraryRoot: String) {
    layout = LibraryLayout(root: libraryRoot)
    path = layout.internals + "/aria2.session"
  }

  /// Returns the content of the file; empty if the file does not exist.
  /// - Throws: `folder` if the file cannot be read.
  func read() throws(ControlError) -> [UInt8] { try read(path) }

  private func read(_ path: String) throws(ControlError) -> [UInt8] {
    do throws(SystemError) {
      return try layout.folder.contents(of: path, limit: InputFile.sizeLimit)
    } catch {
      if error.isMissing { return [] }
      throw ControlError(.folder, error.description)
    }
  }

  /// Replaces the file atomically.
  /// - Throws: `folder` if the file cannot be written.
  func write(_ text: String) throws(ControlError) { try write(Array(text.utf8), to: path) }

  func copyPath(_ name: String) -> String { "\(layout.root)/\(name)" }

  /// Writes a copy for the user into the folder of the library.
  /// - Parameter heading: The first line. An existing file without it is not replaced.
  /// - Throws: `folder` if there is another file with this name, or the copy cannot be written.
  func writeCopy(
    _ text: String, name: String, heading: String
  ) throws(ControlError) {
    let path = copyPath(name)
    let earlier = layout.folder.exists(path) ? try read(path) : nil
    guard earlier?.starts(with: "\(heading)\n".utf8) ?? true else {
      throw ControlError(
        .folder, "\(path) exists and is no session file (save-session); name another file")
    }
    try write(Array("\(heading)\n\(text)".utf8), to: path)
  }

  /// The absolute path of the file with the entries of earlier session files that could not be used.
  var rejectedPath: String { path + ".rejected" }

  /// Adds entries to the file of entries that could not be used, so that no download is lost.
  /// - Throws: `folder` if the file cannot be written.
  func keepRejected(_ bytes: [UInt8]) throws(ControlError) {
    let earlier = try read(rejectedPath)
    // The same entries are added once, also if the program ends before it has written the session file.
    guard !earlier.reversed().starts(with: bytes.reversed()) else { return }
    guard earlier.count + bytes.count <= InputFile.sizeLimit else {
      throw ControlError(.folder, "\(rejectedPath) is too large; move it to another folder")
    }
    try write(earlier + bytes, to: rejectedPath)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(ControlError) {
    let (folder, temporary) = (layout.folder, path + ".new")
    do throws(SystemError) {
      try folder.removeIfExists(temporary)
      let file = try folder.open(temporary, .writing, create: .mustNotExist, mode: 0o600)
      try file.write(all: bytes.span.bytes)
      try file.sync()
      try folder.rename(temporary, to: path)
    } catch {
      throw ControlError(.folder, error.description)
    }
  }
}
