import Models

/// Entries of an archive that might have been expected among its pages and are not taken out: documents,
/// archives that are no zip files, and files that only their names call pictures. Texts, listings and
/// whatever else comes with pictures are not counted.
struct ArchiveOmissions: Sendable, Equatable {
  private(set) var count = 0
  /// The name of the first of them, and why it is left out.
  private var first = ""

  /// Counts an entry that was not taken out, if its absence is worth a word.
  /// - Parameter format: nil for an entry without bytes.
  mutating func add(_ name: String, _ format: ResourceFormat?) {
    guard let reason = Self.reason(name, format) else { return }
    count += 1
    if count == 1 { first = "\(name) \(reason)" }
  }

  mutating func merge(_ other: ArchiveOmissions) {
    if count == 0 { first = other.first }
    count += other.count
  }

  /// For people; nil if nothing was left out.
  var sentence: String? {
    switch count {
    case 0: nil
    case 1: "1 entry is not shown: \(first)"
    default: "\(count) entries are not shown; the first: \(first)"
    }
  }

  private static func reason(_ name: String, _ format: ResourceFormat?) -> String? {
    switch format?.kind {
    case .document, .archive:
      return "(\(format?.displayName ?? "")) is not taken out of archives"
    case .image: return nil
    case .other, nil: break
    }
    guard promisesPages(name) else { return nil }
    guard let format else { return "is empty" }
    return "is not what its name says (\(format.mediaType))"
  }

  /// Whether the extension is that of an image, a document or an archive.
  private static func promisesPages(_ name: String) -> Bool {
    switch ResourceExpectation(fileName: name) {
    case .image, .pdf, .archive: true
    case .anything: false
    }
  }
}
