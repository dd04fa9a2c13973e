import Markup
import Models

/// Reads the files of a Metalink document of version 4 (RFC 5854) or 3. The URLs of a file are ordered by
/// priority: the first one is the entry's, the others are mirrors. Of several hashes, that of the strongest algorithm
/// is the checksum. A file with two different sizes or hashes of one algorithm is a problem, because nothing tells
/// which one is right.
struct MetalinkExtractor: Sendable {
  private enum Field { case url, size, hash(Checksum.Algorithm), description }

  private struct Location {
    var url: String
    /// The smallest is tried first.
    var rank: Int
  }

  /// The maximum number of URLs that are kept of a file.
  private static let maximumLocations = 1_000

  private var depth = 0
  /// The namespace of the document's first element. Elements of others are extensions (RFC 5854 §6).
  private var namespace: String?
  private var text = ElementText()
  private var field = Field.url
  private var fileDepth: Int?
  private var entry = MarkupEntry(url: "")
  /// The hashes of the whole file, in lower case.
  private var hashes: [Checksum.Algorithm: String] = [:]
  /// The type of a hash of the whole file that is not known; nil if there is none.
  private var unknownHash: String?
  /// The kind of value of which the file states two different ones, in the plural; nil if there is none.
  private var contradiction: String?
  /// The first size that is none; nil if there is none.
  private var badSize: String?
  private var locations: [Location] = []
  /// The number of URLs beyond ``maximumLocations``.
  private var surplusLocations = 0
  private var rank = 0
  /// The depth of an element whose hashes or URLs are not those of the file.
  private var ignoredDepth: Int?

  mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    switch event {
    case .start(let name, let namespace, let attributes):
      depth += 1
      if depth == 1 { self.namespace = namespace }
      if namespace == self.namespace { start(name, attributes) }
    case .text(let characters): text.append(characters)
    case .end:
      if let value = text.end(at: depth) { assign(value) }
      if ignoredDepth == depth { ignoredDepth = nil }
      if fileDepth == depth { endFile(&items) }
      depth -= 1
    }
  }

  private mutating func start(_ name: String, _ attributes: [MarkupAttribute]) {
    guard fileDepth != nil else {
      guard name == "file" else { return }
      fileDepth = depth
      entry = MarkupEntry(url: "")
      entry.name = attributes["name"].map(Self.lastSegment)
      (contradiction, badSize) = (nil, nil)
      hashes = [:]
      unknownHash = nil
      (locations, surplusLocations) = ([], 0)
      return
    }
    guard ignoredDepth == nil else { return }
    switch name {
    case "pieces", "publisher", "license": ignoredDepth = depth
    case "size": begin(.size)
    case "description": begin(.description)
    case "hash":
      if let algorithm = attributes["type"].flatMap({ Checksum.Algorithm(named: $0) }) {
        begin(.hash(algorithm))
      } else {
        unknownHash = unknownHash ?? attributes["type"]
      }
    case "url":
      // Version 3 names torrents as URLs of their own type.
      guard attributes["type"]?.lowercased() != "bittorrent" else { return }
      rank = Self.rank(attributes)
      begin(.url)
    default: break
    }
  }

  private mutating func begin(_ field: Field) {
    self.field = field
    text.begin(at: depth)
  }

  private mutating func assign(_ value: String) {
    switch field {
    case .size:
      guard let size = Int64(value), size >= 0 else {
        badSize = badSize ?? value
        return
      }
      if let earlier = entry.byteCount, earlier != size { contradiction = "sizes" }
      entry.byteCount = size
    case .hash(let algorithm):
      let earlier = hashes.updateValue(value.lowercased(), forKey: algorithm)
      if let earlier, earlier != hashes[algorithm] { contradiction = "\(algorithm.title) digests" }
    case .description: entry.title = Words.collapsed(value)
    case .url:
      guard let url = Reference.cleaned(value) else { return }
      if locations.count < Self.maximumLocations {
        locations.append(Location(url: url, rank: rank))
      } else {
        surplusLocations += 1
      }
    }
  }

  /// Version 4: `priority`, 1 is the first, 999999 without one (RFC 5854 §4.2.16.3). Version 3: `preference`,
  /// 100 is the first.
  private static func rank(_ attributes: [MarkupAttribute]) -> Int {
    if let priority = attributes["priority"].flatMap({ Int($0) }), priority > 0 { return priority }
    if let preference = attributes["preference"].flatMap({ Int($0) }),
      (0...100).contains(preference)
    {
      return 100 - preference
    }
    return 999_999
  }

  /// A name may have folders in it, which are not made (RFC 5854 §7).
  private static func lastSegment(_ name: String) -> String {
    name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? name
  }

  private mutating func endFile(_ items: inout [MarkupItem]) {
    fileDepth = nil
    // The order of the document decides among URLs of the same rank.
    var known: Set<String> = []
    let ordered = locations.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element.url).filter { known.insert($0).inserted }
    guard contradiction == nil, let first = ordered.first else {
      let reason =
        contradiction.map { "states two different \($0)" } ?? "has no URL with http or https"
      return addProblem(reason, &items)
    }
    entry.checksum = checksum
    if entry.checksum == nil, let type = unknownHash?.prefix(20) {
      addRemark("has a digest of the unknown type \"\(type)\", which is not verified", &items)
    }
    if let badSize {
      let shown = badSize.count > 20 ? "\(badSize.prefix(20))…" : badSize
      addRemark(
        "has the size \"\(shown)\", which is not a number of bytes and not verified", &items)
    }
    entry.url = first
    let mirrors = ordered.dropFirst()
    entry.mirrors = Array(mirrors.prefix(MarkupItem.maximumMirrors))
    let count = mirrors.count + surplusLocations
    if count > MarkupItem.maximumMirrors {
      addRemark(
        "has \(count) mirrors; only the first \(MarkupItem.maximumMirrors) are used", &items)
    }
    items.append(.entry(entry))
  }

  /// The checksum of the strongest algorithm. SHA-256 comes first, because every file is hashed with it anyway.
  private var checksum: String? {
    let strongest = [Checksum.Algorithm.sha256] + Checksum.Algorithm.allCases.reversed()
    return strongest.lazy.compactMap { algorithm in
      hashes[algorithm].map { "\(algorithm.rawValue)=\($0)" }
    }.first
  }

  /// Adds the reason why the file is left out.
  private func addProblem(_ reason: String, _ items: inout [MarkupItem]) {
    items.append(.problem("\(title) \(reason)"))
  }

  /// Adds what is ignored of the file.
  private func addRemark(_ reason: String, _ items: inout [MarkupItem]) {
    items.append(.remark("\(title) \(reason)", line: nil))
  }

  /// The file in messages.
  private var title: String {
    "the file \(entry.name.map { "\"\($0.prefix(80))\"" } ?? "without a name")"
  }
}
