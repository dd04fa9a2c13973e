import Models
import Terminal

/// The texts and the image of a tile or a row in the list of a record's resources.
struct ResourceEntry: Sendable {
  var name: String
  /// The state, in the words of `StatusText`.
  var status: String
  /// The reason of a failure, or why the image cannot be shown; nil if there is none.
  var reason: String?
  var isActive: Bool
  var isFailed: Bool
  /// Whether the file needs a password that is not known.
  var isEncrypted: Bool
  /// The decoded image; nil while it is not available.
  var image: Image?
  /// The size of the file, or the dimensions of an image that is being downloaded.
  var size: String
  var time: String
  var pages: Int
  /// The received fraction of the file, 0...1, while it is being downloaded; nil if its length is unknown.
  var fraction: Double?
}

extension ResourceEntry {
  /// Creates the entry of a resource.
  /// - Parameters:
  ///   - record: The record of the resource.
  ///   - problem: The reason why the resource's image cannot be shown, or nil.
  ///   - isEncrypted: Whether the image needs a password, independent of the state of the resource.
  init(
    _ resource: Resource, of record: Record, in library: ReportedLibrary, image: Image?,
    problem: String?, isEncrypted: Bool
  ) {
    let activity = library.snapshot.activities[resource.id]
    var fraction: Double?
    if case .downloading(let received, let expected?) = activity, expected > 0 {
      fraction = Double(received) / Double(expected)
    }
    // An image that was made but can no longer be decoded is an error as well.
    let isFailed =
      activity == nil && !resource.isCancelled && (resource.state == .failed || problem != nil)
    let isEncrypted = activity == nil && (resource.needsPassword || isEncrypted)
    self.init(
      name: resource.displayName,
      status: isEncrypted
        ? "Needs a password"
        : isFailed
          ? "Error"
          : library.statusText(
            of: resource.id, resource.state, isCancelled: resource.isCancelled,
            isNamed: resource.isNamed, in: record),
      reason: resource.isCancelled ? nil : resource.reasonWithoutPasswordHint ?? problem,
      isActive: activity != nil, isFailed: isFailed, isEncrypted: isEncrypted,
      image: image,
      size: library.dimensions(of: resource.id)?.text
        ?? resource.file.map { ByteText.short($0.byteCount) } ?? "",
      time: resource.file?.timings.duration.map(Readable.milliseconds) ?? "",
      pages: resource.pageCount, fraction: fraction)
  }
}
