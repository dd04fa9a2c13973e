/// Why an archive, or an entry of it, cannot be read.
public struct ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable, CaseIterable {
    /// The file cannot be opened or read.
    case io
    /// Not an archive of a known format.
    case format
    /// Ends too early.
    case truncated
    /// Checksum wrong, or directory and data disagree.
    case damaged
    case encrypted
    /// A compression method or feature that the adapter does not have.
    case unsupported
    /// A limit was exceeded: the detail names the setting.
    case limit
    /// Entries overlap: a bomb.
    case overlap
    /// The visitor ended the walk with an error of its own.
    case visitor
    /// The worker process that read the archive died, hung or sent nonsense.
    case worker
  }

  public let code: Code
  /// Never empty. The cause as a sentence for people, about the archive or about the entry; the words of a
  /// library stand in brackets. Control characters escaped, cut after 500 bytes.
  public let detail: String
  /// The entry at fault; control characters escaped, cut after 200 characters.
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

  /// Bytes of a detail, and of a name.
  private static let longest = 500

  /// Names and details come from strangers: nothing in them may steer a terminal, turn the text
  /// around, or fill the screen. One character may be of any number of scalars, so that these count.
  private static func escaped(_ text: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in text {
      let next =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
      guard result.utf8.count + next.utf8.count <= longest - 3 else { return result + "…" }
      result += next
    }
    return result
  }
}

extension ArchiveError.Code {
  /// The sentence for an error without a detail of its own.
  /// - Parameter isOfEntry: it is about an entry, not about the archive as a whole.
  public func sentence(isOfEntry: Bool = false) -> String {
    "the \(isOfEntry && isOfEntries ? "entry" : "archive") \(predicate)"
  }

  /// Whether a single entry can be at fault.
  private var isOfEntries: Bool {
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
    case .unsupported: "is of a kind that has no reader here"
    case .limit: "exceeds a limit of the settings"
    case .overlap: "has entries that overlap, as those of a decompression bomb do"
    case .visitor: "was not read to its end"
    case .worker: "was not read: its worker failed"
    }
  }
}
