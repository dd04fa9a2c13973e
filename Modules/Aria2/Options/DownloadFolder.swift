import Naming

/// The folder of a download: the option `dir`, which must name a folder below the library. Each folder is a
/// record of the library.
struct DownloadFolder: Sendable, Equatable {
  /// The title of the record for downloads without a folder of their own.
  static let standardTitle = "aria2"

  /// The title of the record: the path below the library in NFC, because the names of the folders of two spellings
  /// would look alike.
  let title: String

  /// - Parameters:
  ///   - path: An absolute path below `root`, or a path relative to it; empty means the library itself.
  ///   - root: The absolute path of the library.
  /// - Throws: An error if the path leads out of the library or to its internal folder.
  init(_ path: String, below root: String) throws(RPCError) {
    // Paths are compared by bytes, because a slash and a combining mark are one character.
    var rest = path.utf8[...]
    if rest.first == UInt8(ascii: "/") {
      guard rest.starts(with: root.utf8) else { throw Self.refusal(root) }
      rest = rest.dropFirst(root.utf8.count)
      guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { throw Self.refusal(root) }
    }
    let names = rest.split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
    guard !names.contains(".."), names.first?.utf8.first != UInt8(ascii: "."), !rest.contains(0)
    else { throw Self.refusal(root) }
    title = names.isEmpty ? Self.standardTitle : SafeName.composed(names.joined(separator: "/"))
  }

  private static func refusal(_ root: String) -> RPCError {
    RPCError("The option dir must be a folder below \(root).")
  }
}
