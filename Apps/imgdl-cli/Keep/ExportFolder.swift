import ProgramSupport
import Synchronization
import SystemCalls

/// A folder into which images are exported. A list in the folder names the files that exports have put there, so that
/// the next export replaces these and no others.
///
/// The list has the name of a file before the file exists, so that it is complete also after the program was killed.
final class ExportFolder: Sendable {
  /// The name of the list, which has the name of a file on each line.
  static let listName = ".imgdl-export"
  /// The largest size of the list in bytes.
  private static let listLimit = 1 << 30

  private struct State {
    /// The files that the list names.
    var listed: Set<String>
    /// The files that this export has put into the folder, in their order.
    var exported: [String] = []
  }

  private let path: String
  private let list: OwnedDescriptor
  private let state: Mutex<State>

  /// Creates the folder if it is missing.
  /// - Throws: `ProgramFailure` with the code `.refused` if the folder has files that no export has put there. Hidden
  ///   files are permitted, because file managers create some.
  init(_ folder: String) throws {
    try FileSystem.makeFolders(folder)
    path = try FileSystem.realPath(folder)
    let names = try FileSystem.list(path).map(\.name)
    let listPath = "\(path)/\(Self.listName)"
    var listed: Set<String> = []
    if names.contains(Self.listName) {
      let bytes = try FileSystem.open(listPath, followingLinks: false)
        .remainingBytes(limit: Self.listLimit)
      listed = Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    }
    if let other = names.filter({ !$0.hasPrefix(".") && !listed.contains($0) }).min() {
      throw ProgramFailure(
        .refused,
        "\(folder) has files that imgdl has not exported, such as \(other); --force replaces only what an "
          + "earlier export has put there")
    }
    list = try FileSystem.open(listPath, .appending, create: .ifMissing, followingLinks: false)
    state = Mutex(State(listed: listed))
  }

  /// Copies an image into the folder, in place of an earlier one of this name.
  /// - Parameter name: The name of the file, without a folder.
  func put(_ name: String, _ image: String) throws {
    try state.withLock { state in
      if state.listed.insert(name).inserted {
        try list.write(all: Array("\(name)\n".utf8).span.bytes)
      }
      state.exported.append(name)
      let target = "\(path)/\(name)"
      try? FileSystem.remove(target)
      try FileSystem.copy(image, to: target)
    }
  }

  /// Removes the images of earlier exports that this one does not have.
  func finish() throws {
    let (listed, exported) = state.withLock { ($0.listed, $0.exported) }
    // A name with a slash can only be from a list that was changed.
    for name in listed.subtracting(exported) where !name.utf8.contains(UInt8(ascii: "/")) {
      if FileSystem.exists("\(path)/\(name)") { try FileSystem.remove("\(path)/\(name)") }
    }
    let text = exported.map { $0 + "\n" }.joined()
    try FileSystem.replace("\(path)/\(Self.listName)", with: text, syncing: false)
  }
}
