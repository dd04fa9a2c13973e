import LibraryAPI
import Manifests
import Models

/// Counts the entries and bytes of all documents of one source, and the time since the last document that could be
/// read. The limits of each document alone would not bound a source with thousands of documents. Pure.
struct SourceBudget: Sendable {
  private let limits: Settings.Limits
  private var entries = 0
  private var bytes = 0
  /// The time of the last progress in seconds of the caller's clock.
  private var progressAt: Double
  /// The hashes of the URLs that sitemaps of the source have named, at most as many as there are entries.
  private var mentioned: Set<Int> = []
  /// Counts the further pages of the first document that have nothing new.
  var pages = PageNews()
  /// The reason why no further document is read; nil while there is none.
  private(set) var excess: String?

  init(_ limits: Settings.Limits, at now: Double) {
    self.limits = limits
    progressAt = now
  }

  /// Returns the entries of a sitemap that no earlier sitemap of the source has named. An image that the parts of
  /// an index have in common is one resource, and counts once.
  mutating func firstMentions(_ entries: [ManifestEntry]) -> [ManifestEntry] {
    guard excess == nil else { return entries }
    return entries.filter { mentioned.insert($0.address.hashValue).inserted }
  }

  /// Adds valid entries.
  /// - Returns: The number of them that may be kept.
  mutating func admit(entries count: Int) -> Int {
    let kept = min(count, max(0, limits.manifestEntries - entries))
    entries += kept
    if kept < count { excess = tooMany }
    return kept
  }

  private var tooMany: String {
    let count = limits.manifestEntries
    return
      "the source has more than \(count) \(count == 1 ? "entry" : "entries") (limits.manifestEntries)"
  }

  /// Notes that a document has more entries than its reader may return.
  /// - Returns: Whether they exceed the limit of the whole source, so that no further document is read.
  mutating func noteExcess() -> Bool {
    guard entries >= limits.manifestEntries else { return false }
    excess = excess ?? tooMany
    return true
  }

  /// Adds invalid entries, and other problems, which only reduce the room for entries.
  mutating func admit(problems count: Int) {
    entries += min(count, max(0, limits.manifestEntries - entries))
  }

  /// Adds the bytes of a document.
  /// - Returns: false if the document is not to be read. The first one always is, because its reader has the
  ///   same limit.
  mutating func admit(bytes count: Int64) -> Bool {
    let isFirst = bytes == 0
    let (sum, overflow) = bytes.addingReportingOverflow(Int(clamping: count))
    bytes = overflow ? .max : sum
    guard !isFirst, bytes > limits.manifestBytes else { return true }
    excess =
      "the documents of the source have more than \(limits.manifestBytes) bytes together "
      + "(limits.manifestBytes)"
    return false
  }

  /// Notes that a document was read.
  mutating func progressed(at now: Double) { progressAt = now }

  /// The time until which a further document must have been read.
  var deadline: Double { progressAt + limits.sourceSeconds }

  /// Ends the reading if no document could be read for too long.
  mutating func check(at now: Double) {
    guard excess == nil, now >= deadline else { return }
    excess =
      "no document of the source could be read for \(Int(limits.sourceSeconds)) s (limits.sourceSeconds)"
  }

  /// Returns the problem that names the documents that are left out.
  /// - Parameter cutPage: The further page of a list at which the budget was exceeded; nil for another document.
  func problem(unread: [SourceRequest.Location], cutPage: HTTPURL? = nil) -> String {
    var reason = excess ?? ""
    if let cutPage {
      reason +=
        "; \(cutPage) is not read to its end, and the pages of the list from there on are not read"
      if unread.isEmpty { return reason }
    }
    guard case .url(let first)? = unread.first else { return "\(reason); the rest is left out" }
    return unread.count == 1
      ? "\(reason); \(first) is not read"
      : "\(reason); \(unread.count) documents are not read, the first: \(first)"
  }
}
