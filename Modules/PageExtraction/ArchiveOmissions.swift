import Models

/// Counts the entries of an archive that users might expect among its pages and that are not extracted:
/// documents, archives other than zip files, images of a kind that no decoder opens, and files with an image's name and
/// other content. Texts, listings and other files that accompany images are not counted.
struct ArchiveOmissions: Sendable, Equatable {
  private(set) var count = 0
  /// The name of the first omitted entry, and the predicate of a sentence about it.
  private var firstName = ""
  private var firstReason = ""

  /// Counts an entry that was not extracted, if users might expect it among the pages.
  /// - Parameter format: The recognised format; nil for an entry without bytes.
  mutating func add(_ name: String, _ format: ResourceFormat?) {
    guard let reason = Self.reason(name, format) else { return }
    count += 1
    if count == 1 { (firstName, firstReason) = (name, reason) }
  }

  /// Counts a link whose target is not among the images, if users might expect it among the pages.
  mutating func add(_ name: String, linkTo target: String) {
    guard Self.promisesPages(name) else { return }
    count += 1
    if count == 1 {
      (firstName, firstReason) = (
        name, "is a link to \(target), which is not an image of the archive"
      )
    }
  }

  mutating func merge(_ other: ArchiveOmissions) {
    if count == 0 { (firstName, firstReason) = (other.firstName, other.firstReason) }
    count += other.count
  }

  /// Returns a sentence for users; nil if nothing was omitted.
  /// - Parameter encrypted: The names of the entries that a book states to be encrypted.
  func sentence(encrypted: Set<String>) -> String? {
    let reason =
      encrypted.contains(firstName) ? "is encrypted by a copy protection (DRM)" : firstReason
    return switch count {
    case 0: nil
    case 1: "1 entry is not shown: \(firstName) \(reason)"
    default: "\(count) entries are not shown; the first: \(firstName) \(reason)"
    }
  }

  private static func reason(_ name: String, _ format: ResourceFormat?) -> String? {
    switch format?.kind {
    case .document, .archive:
      return "(\(format?.displayName ?? "")) is not extracted from archives"
    case .image: return nil
    case .other, nil: break
    }
    if let format, format.isUndecodedImage {
      return "(\(format.displayName)) is an image of a kind that imgdl does not read"
    }
    guard promisesPages(name) else { return nil }
    guard let format else { return "is empty" }
    return "does not have the content that its name suggests (\(format.mediaType))"
  }

  /// Returns whether the extension is that of an image, a document or an archive.
  private static func promisesPages(_ name: String) -> Bool {
    switch ResourceExpectation(fileName: name) {
    case .image, .pdf, .archive: true
    case .anything: false
    }
  }
}
