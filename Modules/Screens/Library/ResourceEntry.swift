import Models
import Terminal

/// What a tile or a row of screen 2 says.
struct ResourceEntry: Sendable {
  var name: String
  /// As `StatusText` says it.
  var status: String
  /// Why it failed, or what cannot be shown.
  var reason: String?
  var isActive: Bool
  var isFailed: Bool
  /// It takes a password that was not given.
  var isEncrypted: Bool
  /// There is something to see, or there will be.
  var picture: Picture?
  var size: String
  var time: String
  var pages: Int
  /// 0...1 while its length is known and it is being fetched.
  var fraction: Double?
}

extension ResourceEntry {
  /// - Parameters:
  ///   - record: the one that the resource belongs to.
  ///   - problem: why its picture cannot be shown.
  ///   - isEncrypted: the picture takes a password, whatever the state of the resource.
  init(
    _ resource: Resource, of record: Record, in library: LibraryStatus, picture: Picture?,
    problem: String?, isEncrypted: Bool
  ) {
    let activity = library.facts.activities[resource.id]
    var fraction: Double?
    if case .downloading(let received, let expected?) = activity, expected > 0 {
      fraction = Double(received) / Double(expected)
    }
    // A picture that was made and cannot be decoded any more is an error as well.
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
            of: resource.id, resource.state, isCancelled: resource.isCancelled, in: record),
      reason: resource.isCancelled ? nil : resource.reasonWithoutPasswordHint ?? problem,
      isActive: activity != nil, isFailed: isFailed, isEncrypted: isEncrypted,
      picture: picture, size: resource.file.map { ByteText.short($0.byteCount) } ?? "",
      time: resource.file?.timings.duration.map(Readable.milliseconds) ?? "",
      pages: resource.pageCount, fraction: fraction)
  }
}
