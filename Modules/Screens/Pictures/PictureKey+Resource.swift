import Models

extension PictureKey {
  /// The picture of a tile or of a first page.
  /// - Returns: nil while there is nothing to show of the resource.
  init?(_ resource: Resource, side: Int) {
    guard let file = resource.file, file.format.kind != .other,
      resource.pageCount > 0 || file.format.kind == .image
    else { return nil }
    self.init(resource: resource.id, stamp: PictureKey.stamp(resource), side: side)
  }
}
