public import Models

/// A file with downloads, in the format of aria2's input files: a line with the URIs of a download, separated
/// by tabs, then a line for each option, indented by a blank.
///
/// In a session file, comments name the resource of a download that has been started, so that its transfer
/// continues after a restart, and the size that a Metalink document has stated; aria2 ignores them.
public struct InputFile: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public var uris: [String]
    public var options: [Option] = []
    public var resource: ResourceID?
    /// The size that the file must have in bytes.
    public var byteCount: Int64?
    /// The bytes of the file from the URIs up to the next entry, which need not be UTF-8; empty for an entry of a
    /// download.
    var original: ArraySlice<UInt8> = []

    /// The lines of the entry.
    var text: String {
      var text = uris.joined(separator: "\t") + "\n"
      if let resource { text += InputFile.resourceComment + "\(resource)\n" }
      if let byteCount { text += InputFile.sizeComment + "\(byteCount)\n" }
      for option in options { text += " \(option.name)=\(option.value)\n" }
      return text
    }
  }

  public struct Option: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public private(set) var entries: [Entry] = []

  /// The maximum size of a file in bytes.
  public static let sizeLimit = 64 << 20
  private static let resourceComment = "# imgdl-resource "
  private static let sizeComment = "# imgdl-size "

  /// Parses a file. Comments and empty lines are skipped, and so are options before the first URI.
  ///
  /// Lines end at a line feed and at nothing else, and are compared by bytes, because values may contain
  /// Unicode's other line separators and combining characters.
  /// - Parameter isSession: Whether this program has written the file, so that it may name resources.
  public init(_ bytes: [UInt8], isSession: Bool = false) {
    var start = 0
    for full in bytes.split(separator: 0x0a) {
      let line = full.last == 0x0d ? full.dropLast() : full
      switch line.first {
      case nil: continue
      case UInt8(ascii: "#")?:
        if isSession { readComment(line) }
      case 0x20?, 0x09?: appendOption(line)
      default:
        let uris = line.split(separator: 0x09).map { String(decoding: $0, as: UTF8.self) }
        if !uris.isEmpty {
          entries.append(Entry(uris: uris))
          start = full.startIndex
        }
      }
      if let last = entries.indices.last {
        entries[last].original = bytes[start..<full.endIndex]
      }
    }
  }

  /// Parses a file that is UTF-8.
  public init(_ text: String, isSession: Bool = false) {
    self.init(Array(text.utf8), isSession: isSession)
  }

  private mutating func readComment(_ line: ArraySlice<UInt8>) {
    guard !entries.isEmpty else { return }
    if let id = Self.number(in: line, after: Self.resourceComment), id > 0 {
      entries[entries.count - 1].resource = ResourceID(id)
    } else if let count = Self.number(in: line, after: Self.sizeComment), count >= 0 {
      entries[entries.count - 1].byteCount = count
    }
  }

  private static func number(in line: ArraySlice<UInt8>, after prefix: String) -> Int64? {
    guard line.starts(with: prefix.utf8) else { return nil }
    return Int64(String(decoding: line.dropFirst(prefix.utf8.count), as: UTF8.self))
  }

  private mutating func appendOption(_ line: ArraySlice<UInt8>) {
    let line = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard !entries.isEmpty, line.first != UInt8(ascii: "#"),
      let equals = line.firstIndex(of: UInt8(ascii: "="))
    else { return }
    entries[entries.count - 1].options.append(
      Option(
        name: String(decoding: line[..<equals], as: UTF8.self),
        value: String(decoding: line[line.index(after: equals)...], as: UTF8.self)))
  }
}
