public import Models

/// An element of a list, in the order of the list.
public enum ManifestItem: Equatable, Sendable {
  case entry(ManifestEntry)
  case problem(ManifestProblem)
  /// The next page of the list: the text of `next`, to be resolved against the list's own URL.
  case nextPage(String)
  /// The list is a series; its slices follow as entries.
  case series(id: String)
  /// The title that the document has; never after its first entry.
  case title(String)
  /// The following entries belong to the record with this key, which has this title. Entries of a record need
  /// not follow each other. The key distinguishes records with the same title; nil means the title.
  case record(title: String, key: String? = nil)
  /// Resources of the list are requested with its URL as `Referer`, as browsers do, by the policy that the document itself
  /// states, or by that of its response; before the first entry.
  case referring(policy: String?)
  /// Another document of the same source, to be resolved against the list's own URL.
  case document(String, ManifestLink)
}

/// The relation of a linked document to the list that names it.
public enum ManifestLink: Sendable, CaseIterable {
  /// Its entries belong to the same record, as those of the sitemaps of an index do.
  case part
  /// Its entries form a record of their own, as those of a folder do.
  case record
}

/// A resource in a list.
public struct ManifestEntry: Equatable, Sendable {
  public let url: HTTPURL
  /// The ``HTTPURL/description`` of `url`, followed by ``ResourceLocation/imageServiceFragment`` if `url` is
  /// the base URI of an image service.
  public let address: String
  /// The title without control characters, never empty; nil if the list has none for the entry.
  public let title: String?
  /// The file name that the list proposes; nil if it proposes none.
  public let name: String?
  /// The checksum of the expected content, or nil if the list has none for the entry.
  public let checksum: Checksum?
  /// The fields to send with the request; ``EntryHeaders`` defines which are rejected.
  public private(set) var headers: HTTPFields
  /// The size of the content in bytes as the list states it, or nil if it states none.
  public let byteCount: Int64?
  /// Whether a content of another size is not that of the entry. Otherwise the size is a hint, because feeds and
  /// listings often round it, or state that of an earlier version.
  public let isByteCountBinding: Bool
  /// Other URLs of the same content in the form of ``address``, the best one first.
  public let mirrors: [String]
  /// The policy that a web page states for the `Referer` of this entry, as written; nil for that of the page.
  public let referrerPolicy: String?
  /// The index of the entry in the list, from 0; invalid entries are counted.
  public let index: Int

  /// - Parameter address: The description of `url`, if the caller already has it.
  public init(
    url: HTTPURL, address: String? = nil, title: String? = nil, name: String? = nil,
    checksum: Checksum? = nil, headers: HTTPFields = HTTPFields(), byteCount: Int64? = nil,
    isByteCountBinding: Bool = false, mirrors: [String] = [], referrerPolicy: String? = nil,
    index: Int
  ) {
    self.url = url
    self.address = address ?? url.description
    self.title = title
    self.name = name
    self.checksum = checksum
    self.headers = headers
    self.byteCount = byteCount
    self.isByteCountBinding = isByteCountBinding
    self.mirrors = mirrors
    self.referrerPolicy = referrerPolicy
    self.index = index
  }

  /// Returns the entry with a value of `Referer`.
  public func with(referrer: String) -> ManifestEntry {
    var entry = self
    entry.headers.set("Referer", referrer)
    return entry
  }

  /// The size in bytes that the content must have; nil if the list states none, or only a hint.
  public var expectedByteCount: Int64? { isByteCountBinding ? byteCount : nil }
}

/// An entry that cannot be used; the other entries are not affected.
public struct ManifestProblem: Equatable, Sendable, CustomStringConvertible {
  /// The list's name, as given to the parser.
  public let file: String
  /// The index in the list, from 0; nil for problems outside entries, such as an invalid `next`.
  public let index: Int?
  /// The line number from 1, in forms with one entry per line; otherwise nil.
  public let line: Int?
  /// The reason as one sentence of at most a few hundred characters, with control characters escaped.
  public let reason: String

  public init(file: String, index: Int?, line: Int? = nil, reason: String) {
    self.file = file
    self.index = index
    self.line = line
    self.reason = Excerpt.sentence(reason)
  }

  /// The position and the reason: `list.json, entry 3: is a number, not a URL`. Entries are counted from 1.
  public var description: String {
    var place = file.isEmpty ? [] : [Excerpt.sentence(file)]
    if let line {
      place.append("line \(line)")
    } else if let index {
      place.append("entry \(index &+ 1)")
    }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}
