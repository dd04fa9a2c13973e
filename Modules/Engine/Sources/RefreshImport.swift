import LibraryAPI
import Manifests
import Models

/// Collects the lists of a source that is read again or continued, to be compared with its records.
///
/// The entries stay in memory until the source has been read to its end, so that an interrupted reading
/// changes nothing. A reading of a million entries needs memory for all of them.
actor RefreshImport: ImportTarget {
  /// The entries of one list of the source.
  struct SourceList: Sendable {
    let title: String
    var entries: [ManifestEntry] = []
  }

  private var begun: [SourceList] = []
  /// The index in `begun` of the list that receives the entries; nil before the first one.
  private var current: Int?
  private var groups = RecordGroups()
  private(set) var problems: [String] = []
  private(set) var format: ManifestFormat?
  /// The number of lists that the first document itself has begun; nil if it was not read to its end, so that no
  /// other document was read.
  private var ownListCount: Int?

  /// The lists with entries: one without any has no record.
  var lists: [SourceList] { begun.filter { !$0.entries.isEmpty } }

  /// The lists with entries of the first document, and those of the documents that it links to.
  var listsByDocument: (own: [SourceList], linked: [SourceList]) {
    let count = ownListCount ?? begun.count
    let (own, linked) = (begun.prefix(count), begun.dropFirst(count))
    return (own.filter { !$0.entries.isEmpty }, linked.filter { !$0.entries.isEmpty })
  }

  func beginList(title: String, key: String?) {
    current = key.flatMap { groups.place(of: $0) }
    guard current == nil else { return }
    current = begun.count
    if let key { groups.insert(begun.count, for: key) }
    begun.append(SourceList(title: title))
  }

  func append(_ entries: [ManifestEntry]) {
    if current == nil { beginList(title: "", key: nil) }
    if let current { begun[current].entries += entries }
  }

  func report(problems new: [String], count: Int) {
    problems += new.prefix(AddResult.problemLimit - problems.count)
  }

  /// Records the number of lists of the first document, whose entries come before those of the documents that it
  /// links to.
  func noteFormat(_ format: ManifestFormat) {
    self.format = format
    ownListCount = begun.count
  }

  /// Whether the order of the entries is that of pages or files, and not that of time.
  var isSequence: Bool {
    format == .iiif || format == .listing || format == .sitemap || format == .bucket
  }

  /// Does nothing: a single file needs no comparison, and `reload` downloads it again.
  func adoptAsResource(_ source: SpooledSource, title: String) {}
}
