import Models

/// Validates drafts and collects the resulting items, in order.
struct EntryCollector: Sendable {
  let file: String
  let base: HTTPURL?
  private let limit: Int
  var items: [ManifestItem] = []
  private(set) var entryCount = 0
  private(set) var problemCount = 0
  /// Whether the limit of entries was exceeded; further entries are ignored.
  private(set) var isOver = false
  /// Whether the next page of the list is known from elsewhere, so that the list need not name it.
  var hasNextPage = false
  /// Whether a mirror that cannot be used has been reported. A remark for each would hide other problems.
  private var hasReportedMirror = false

  init(file: String, base: HTTPURL?, limit: Int = .max) {
    self.file = file
    self.base = base
    self.limit = limit
  }

  var tooMany: ManifestError {
    let entries = limit == 1 ? "entry" : "entries"
    return ManifestError(
      .tooMany, file: file, "more than \(limit) \(entries) (limits.manifestEntries)")
  }

  private var nextIndex: Int { entryCount &+ problemCount }

  private mutating func hasRoom() -> Bool {
    if nextIndex >= limit { isOver = true }
    return !isOver
  }

  mutating func addEntry(_ draft: EntryDraft, line: Int? = nil) {
    guard hasRoom() else { return }
    do {
      let (entry, mirrorCount) = try entry(draft)
      items.append(.entry(entry))
      entryCount &+= 1
      if mirrorCount > Self.maximumMirrors {
        let reason =
          "has \(mirrorCount) mirrors; only the first \(Self.maximumMirrors) are used"
        items.append(
          .problem(ManifestProblem(file: file, index: entry.index, line: line, reason: reason)))
      }
      if !draft.mirrors.isEmpty { reportMirror(of: draft, at: entry.index, line: line) }
    } catch {
      addProblem(error.reason, line: line)
    }
  }

  /// Reports the first mirror in the list that cannot be used, unless it is one for programs of other protocols.
  private mutating func reportMirror(of draft: EntryDraft, at index: Int, line: Int?) {
    guard !hasReportedMirror else { return }
    for text in draft.mirrors where !Self.hasOtherProtocol(text) {
      do {
        _ = try locate(text)
      } catch {
        hasReportedMirror = true
        // Only a problem in place of an entry has an index.
        let place = line == nil ? "entry \(index &+ 1): " : ""
        return addRemark(
          "\(place)the mirror \(error.reason); other such mirrors are not used either", line: line)
      }
    }
  }

  /// Whether the text is a URI of another scheme than those of the web and of local files.
  private static func hasOtherProtocol(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text[..<colon].lowercased()
    return !["http", "https", "file"].contains(scheme) && scheme.utf8.first.map(isLetter) ?? false
      && scheme.utf8.allSatisfy {
        isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }

  /// Adds the plain URL of an entry, the most frequent kind in large lists.
  mutating func addEntry(url text: String) {
    guard hasRoom() else { return }
    do {
      let (url, address) = try locate(text)
      items.append(.entry(ManifestEntry(url: url, address: address, index: nextIndex)))
      entryCount &+= 1
    } catch {
      addProblem(error.reason)
    }
  }

  /// Adds an entry whose URL is known to be valid.
  mutating func addEntry(url: HTTPURL, title: String) {
    guard hasRoom() else { return }
    items.append(
      .entry(ManifestEntry(url: url, title: ManifestTitle.cleaned(title), index: nextIndex)))
    entryCount &+= 1
  }

  mutating func addProblem(_ reason: String, line: Int? = nil) {
    guard hasRoom() else { return }
    items.append(
      .problem(ManifestProblem(file: file, index: nextIndex, line: line, reason: reason)))
    problemCount &+= 1
  }

  /// Adds a problem that does not concern an entry and is not counted.
  mutating func addRemark(_ reason: String, line: Int? = nil) {
    items.append(.problem(ManifestProblem(file: file, index: nil, line: line, reason: reason)))
  }

  private struct Fault: Error { let reason: String }

  /// Returns the entry, and the number of its mirrors, of which only the first ones are used.
  private func entry(
    _ draft: EntryDraft
  ) throws(Fault) -> (entry: ManifestEntry, mirrorCount: Int) {
    if let fault = draft.fault { throw Fault(reason: fault) }
    guard let text = draft.url else { throw Fault(reason: "has no \"url\"") }
    let checksum = try draft.checksum.flatMap { (stated) throws(Fault) in try Self.checksum(stated)
    }
    if let fault = EntryHeaders.fault(in: draft.headers) { throw Fault(reason: fault) }
    let (url, address) = try locate(text)
    let mirrors = draft.mirrors.isEmpty ? [] : mirrors(draft.mirrors, of: address)
    let entry = ManifestEntry(
      url: url, address: address, title: draft.title.flatMap(ManifestTitle.cleaned),
      name: draft.name.flatMap(ManifestTitle.cleaned), checksum: checksum, headers: draft.headers,
      byteCount: draft.byteCount, isByteCountBinding: draft.isByteCountBinding,
      mirrors: Array(mirrors.prefix(Self.maximumMirrors)), referrerPolicy: draft.referrerPolicy,
      index: nextIndex)
    return (entry, mirrors.count + draft.surplusMirrors)
  }

  /// Returns the checksum; nil if its algorithm is not known, so that it cannot be verified.
  private static func checksum(
    _ stated: EntryDraft.StatedChecksum
  ) throws(Fault) -> Checksum? {
    guard let algorithm = stated.algorithm else { return nil }
    guard let checksum = Checksum(algorithm, hexadecimal: stated.digits) else {
      throw Fault(
        reason: "the \(algorithm.title) \(Excerpt.quote(stated.digits)) is not "
          + "\(2 * algorithm.byteCount) hexadecimal digits")
    }
    return checksum
  }

  /// The largest number of mirrors of an entry; further ones are reported and not used.
  static let maximumMirrors = 16

  /// Returns the usable mirrors without duplicates. A mirror that cannot be used does not prevent the download.
  private func mirrors(_ texts: [String], of address: String) -> [String] {
    var known: Set<String> = [address]
    return texts.compactMap { text in
      guard let (_, mirror) = try? locate(text), known.insert(mirror).inserted else { return nil }
      return mirror
    }
  }

  private func locate(_ text: String) throws(Fault) -> (url: HTTPURL, address: String) {
    // Most URLs are absolute and already in canonical form.
    let plain = HTTPURL(plain: text)
    let url = if let plain { plain } else { try url(text) }
    if let base, url == base { throw Fault(reason: "names the list itself") }
    if plain != nil { return (url, text) }
    let isService = ResourceLocation.namesImageService(text)
    return (url, url.description + (isService ? ResourceLocation.imageServiceFragment : ""))
  }

  private func url(_ original: String) throws(Fault) -> HTTPURL {
    // Programs leave invisible characters around a copied URL, with which the URL would be relative, or another one.
    let isASCII = (original.utf8.first ?? 0) < 0x80 && (original.utf8.last ?? 0) < 0x80
    let text = isASCII ? original : original.withoutSpaceAtEnds
    // A URL cannot contain the replacement for a character that could not be decoded.
    if Self.mayContainReplacement(text), text.unicodeScalars.contains("\u{fffd}") {
      throw Fault(reason: "\(Excerpt.quote(url: text)) contains an invalid character")
    }
    do {
      if let base { return try base.resolving(text) } else { return try HTTPURL(text) }
    } catch {
      throw Fault(reason: Self.reason(text, error.description, isAlone: base == nil))
    }
  }

  /// Whether the text contains the first byte of U+FFFD. The search for a single byte is vectorized.
  private static func mayContainReplacement(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.contains(0xef) } ?? true
  }

  private static func reason(_ text: String, _ cause: String, isAlone: Bool) -> String {
    let quoted = Excerpt.quote(url: text)
    let end = text.utf8.firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? text.endIndex
    if isAlone, !text.utf8.allSatisfy({ $0 == 0x20 }),
      !text[..<end].utf8.contains(UInt8(ascii: ":"))
    {
      return "\(quoted) is relative, but the list has no base URL"
    }
    return "\(quoted) cannot be fetched: \(cause)"
  }
}
