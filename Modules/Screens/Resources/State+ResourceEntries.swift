import Models
import Terminal

extension State {
  /// The tiles of screen 2 with their pictures.
  func resourceEntries(_ screen: ResourcesScreen) -> some ItemSource<ResourceEntry> {
    let side = tileSide
    return MappedSource(base: screen.window) { resource in
      let key = side.flatMap { PictureKey(resource, side: $0) }
      return ResourceEntry(
        resource, of: screen.record.record, in: library,
        picture: key.flatMap { pictures.picture($0) },
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
