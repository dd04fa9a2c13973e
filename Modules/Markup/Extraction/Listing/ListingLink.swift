import Models

/// A link of a folder listing.
struct ListingLink: Sendable {
  var reference: String
  var text = ""
  /// The text between this link and the next one, or the end of its row.
  var tail = ""
  /// The size in bytes in an attribute of the row.
  var statedSize: Int64?

  enum Kind: Equatable {
    case file(name: String)
    case folder
    case parent
    /// Shows the same folder in another order.
    case sorting
    case other
  }

  /// Returns what the link leads to.
  /// - Parameter folder: The URL of the folder, whose path ends with a slash.
  func kind(in folder: HTTPURL) -> Kind {
    if reference.hasPrefix("?") { return .sorting }
    guard let cleaned = Reference.cleaned(reference) else {
      return reference.isEmpty ? .sorting : .other
    }
    guard let url = try? folder.resolving(cleaned), url.origin == folder.origin else {
      return .other
    }
    let path = url.path
    if path == folder.path { return .sorting }
    if folder.path.hasPrefix(path), path.hasSuffix("/") { return .parent }
    // A link with a query is not a file: servers encode the question mark in names.
    guard path.hasPrefix(folder.path), !url.target.utf8.contains(UInt8(ascii: "?")) else {
      return .other
    }
    let name = path.dropFirst(folder.path.count)
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return .file(name: PercentEncoding.decode(name))
    }
    return name.utf8.index(after: slash) == name.endIndex ? .folder : .other
  }

  /// The exact size in bytes; nil if the listing rounds it, or states none. The size follows the time of the last
  /// change.
  var byteCount: Int64? {
    if let statedSize { return statedSize }
    let words = tail.split(whereSeparator: \.isWhitespace)
    guard let time = words.firstIndex(where: Self.isTime), time + 1 < words.count else {
      return nil
    }
    let size = words[time + 1]
    guard size.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(size)
  }

  /// Whether the word is a time of day such as `04:05` or `04:05:06`.
  private static func isTime(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return (parts.count == 2 || parts.count == 3)
      && parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
  }
}
