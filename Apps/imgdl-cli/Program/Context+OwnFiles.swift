import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport
import SystemCalls

extension Context {
  /// Refuses an output in the library's own folder `.imgdl` or in that of a record, whose files only the engine writes.
  /// Other names in the library's folder are free.
  /// - Parameter name: The path of a file or folder as the user typed it; `-` is standard output.
  /// - Throws: `ProgramFailure` with the code `.refused`.
  func refuseFileOfLibrary(_ name: String) async throws {
    guard name != "-", !name.isEmpty else { return }
    let path = try FileSystem.writtenPath(FileSystem.absolutePath(name))
    let root = layout.root
    guard path == root || path.hasPrefix(root + "/") else { return }
    let first = path.dropFirst(root.count).split(separator: "/").first.map(String.init)
    if let first, first != ".imgdl", try await !isFolderOfRecord(first) { return }
    let relation = (try? FileSystem.status(path))?.kind == .folder ? "is" : "is in"
    throw ProgramFailure(
      .refused, "\(name) \(relation) a folder of the library itself; name another place")
  }

  private func isFolderOfRecord(_ name: String) async throws -> Bool {
    try await withStore { try await $0.hasRecord(inFolder: name) } ?? false
  }
}
