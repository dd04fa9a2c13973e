/// The file to which a client has the session written as well: the option `save-session`, which must name a
/// file in the folder of the library itself.
struct SessionCopy: Sendable, Equatable {
  /// The name of the file, without its folder.
  let name: String

  /// The maximum length of a name in bytes, which leaves room for the suffix of a temporary file.
  private static let maximumBytes = 200

  /// - Parameters:
  ///   - path: An absolute path below `root`, or a name in it.
  ///   - root: The absolute path of the library.
  /// - Returns: nil for a file in another folder, also in one below the library, because these folders have
  ///   the files of records; for a hidden file; and for a name that does not end in `.txt` or `.session`.
  init?(_ path: String, in root: String) {
    // Paths are compared by bytes, because a slash and a combining mark are one character.
    var rest = path.utf8[...]
    if rest.first == UInt8(ascii: "/") {
      let folder = root.utf8 + [UInt8(ascii: "/")]
      guard rest.starts(with: folder) else { return nil }
      rest = rest.dropFirst(folder.count)
    }
    guard let first = rest.first, first != UInt8(ascii: "."), rest.count <= Self.maximumBytes,
      !rest.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x7f }),
      [".txt", ".session"].contains(where: { rest.reversed().starts(with: $0.utf8.reversed()) })
    else { return nil }
    name = String(decoding: rest, as: UTF8.self)
  }

  /// The first line of a copy. A file that does not begin with it is not replaced.
  static let heading = "# The unfinished downloads of imgdl, as an input file of aria2."
}
