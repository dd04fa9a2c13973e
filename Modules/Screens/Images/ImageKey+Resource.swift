import Models

extension ImageKey {
  /// Creates the key of a resource's first page, which is also its tile's image; nil while the resource has
  /// no image.
  init?(_ resource: Resource, side: Int) {
    guard let file = resource.file, file.format.kind != .other,
      resource.pageCount > 0 || file.format.kind == .image
    else { return nil }
    self.init(resource: resource.id, stamp: ImageKey.stamp(resource), side: side)
  }
}
