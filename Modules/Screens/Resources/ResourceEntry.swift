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

extension State {
  /// - Parameter isEncrypted: the picture takes a password, whatever the state of the resource.
  func entry(
    for resource: Resource, picture: Picture?, problem: String?, isEncrypted: Bool
  ) -> ResourceEntry {
    let activity = facts.activities[resource.id]
    var fraction: Double?
    if case .downloading(let received, let expected?) = activity, expected > 0 {
      fraction = Double(received) / Double(expected)
    }
    // A picture that was made and cannot be decoded any more is an error as well.
    let isFailed =
      activity == nil && !resource.isCancelled && (resource.state == .failed || problem != nil)
    let isEncrypted = activity == nil && (resource.needsPassword || isEncrypted)
    return ResourceEntry(
      name: resource.displayName,
      status: isEncrypted
        ? "Needs a password"
        : isFailed
          ? "Error" : status(resource.state, resource.id, isCancelled: resource.isCancelled),
      reason: resource.isCancelled ? nil : resource.reasonWithoutPasswordHint ?? problem,
      isActive: activity != nil, isFailed: isFailed, isEncrypted: isEncrypted,
      picture: picture, size: resource.file.map { ByteText.short($0.byteCount) } ?? "",
      time: resource.file?.timings.duration.map(Readable.milliseconds) ?? "",
      pages: resource.pageCount, fraction: fraction)
  }

  /// The tiles of screen 2 with their pictures.
  var resourceEntries: some ItemSource<ResourceEntry> {
    let side = tileSide
    return MappedSource(base: resources?.window ?? ItemWindow()) { resource in
      let key = side.flatMap { PictureKey(resource, side: $0) }
      return entry(
        for: resource, picture: key.flatMap { pictures.picture($0) },
        problem: key.flatMap { pictures.problem($0) },
        isEncrypted: key.map { pictures.isEncrypted($0) } ?? false)
    }
  }

  /// Longest side of a tile's picture in pixels; nil where none is shown.
  var tileSide: Int? {
    guard let geometry = resources?.collection.geometry, showsPictures else { return nil }
    let room = ResourceTile.pictureSize(geometry.tile, geometry.layout)
    guard room.columns > 0, room.rows > 0 else { return nil }
    return PictureKey.roundedSide(
      max(room.columns * cellPixels.columns, room.rows * cellPixels.rows))
  }
}
