/// The folder of a download: the option `dir`, which must name a folder below the library. Each folder is a
/// record of the library.
struct DownloadFolder: Sendable, Equatable {
  /// The title of the record for downloads without a folder of their own.
  static let standardTitle = "aria2"

  /// The title of the record: the path below the library.
  let title: String

  /// - Parameters:
  ///   - path: An absolute path below `root`, or a path relative to it; empty means the library itself.
  ///   - root: The absolute path of the library.
  /// - Throws: An error if the path leads out of the library or to its internal folder.
  init(_ path: String, below root: String) throws(RPCError) {
    var rest = path[...]
    if rest.hasPrefix("/") {
      guard rest == root[...] || rest.hasPrefix(root + "/") else { throw Self.refusal(root) }
      rest = rest.dropFirst(root.count)
    }
    let names = rest.split(separator: "/").filter { $0 != "." }
    guard !names.contains(".."), names.first?.hasPrefix(".") != true, !rest.utf8.contains(0) else {
      throw Self.refusal(root)
    }
    title = names.isEmpty ? Self.standardTitle : names.joined(separator: "/")
  }

  private static func refusal(_ root: String) -> RPCError {
    RPCError("The option dir must be a folder below \(root).")
  }
}
