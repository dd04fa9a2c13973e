/// The reason why an archive or one of its entries cannot be read.
public struct ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be opened or read.
    case io
    /// The file is not an archive of a known format.
    case format
    /// The file ends too early.
    case truncated
    /// The checksum is wrong, or directory and data disagree.
    case damaged
    case encrypted
    /// The adapter does not support the compression method or a feature.
    case unsupported
    /// A limit was exceeded; the detail names the setting.
    case limit
    /// Entries overlap, as in a decompression bomb.
    case overlap
    /// The visitor ended the walk with an error of its own.
    case visitor
    /// The worker process that read the archive crashed, timed out or sent invalid messages.
    case worker
  }

  public let code: Code
  /// The cause as a sentence for people, about the archive or the entry; never empty. A library's message
  /// follows in parentheses. Control characters are escaped, and the text is truncated to 500 bytes.
  public let detail: String
  /// The affected entry, with control characters escaped, truncated to 200 characters; nil if unknown.
  public let entryName: String?

  public init(_ code: Code, _ detail: String, entryName: String? = nil) {
    self.code = code
    let sentence = detail.isEmpty ? code.sentence(isOfEntry: entryName != nil) : detail
    self.detail = Self.escaped(sentence.unicodeScalars)
    self.entryName = entryName.map { Self.escaped($0.unicodeScalars.prefix(200)) }
  }

  public var description: String {
    entryName.map { "\($0): \(detail)" } ?? detail
  }

  /// The maximum length in bytes of a detail, and of a name.
  private static let maximumDetailLength = 500

  /// Escapes untrusted names and details, so that they can neither control a terminal, reverse the direction
  /// of the text, nor fill the screen. The length counts scalars, because a character may consist of any
  /// number of them.
  private static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in text {
      let next =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
      guard result.utf8.count + next.utf8.count <= maximumDetailLength - 3 else {
        return result + "…"
      }
      result += next
    }
    return result
  }
}

extension ArchiveError.Code {
  /// The sentence for an error without a detail of its own.
  /// - Parameter isOfEntry: Whether the error concerns an entry, not the archive as a whole.
  public func sentence(isOfEntry: Bool = false) -> String {
    "the \(isOfEntry && concernsEntry ? "entry" : "archive") \(predicate)"
  }

  /// Whether the error may concern a single entry.
  private var concernsEntry: Bool {
    switch self {
    case .io, .truncated, .damaged, .encrypted, .unsupported: true
    case .format, .limit, .overlap, .visitor, .worker: false
    }
  }

  private var predicate: String {
    switch self {
    case .io: "cannot be read"
    case .format: "is of no known format"
    case .truncated: "ends too early, a part of it is missing"
    case .damaged: "is damaged"
    case .encrypted: "needs a password"
    case .unsupported: "is of a kind that imgdl does not support"
    case .limit: "exceeds a limit of the settings"
    case .overlap: "has entries that overlap, as those of a decompression bomb do"
    case .visitor: "was not read to its end"
    case .worker: "was not read: its worker failed"
    }
  }
}
