import Models
import Terminal

extension ResourcesScreen {
  func visibleImages(in context: ScreenContext) -> [ImageKey] {
    guard collection.isAtRest, let side = tileSide(context.display) else { return [] }
    return collection.visible.compactMap { index in
      window.item(at: index).flatMap { ImageKey($0, side: side) }
    }
  }

  func tile(_ context: ScreenContext) -> ResourceTile {
    ResourceTile(cellPixels: context.display.cellPixels)
  }

  /// Returns the longest side of a tile's image in pixels; nil if tiles show no images.
  private func tileSide(_ display: Display) -> Int? {
    let geometry = collection.geometry
    guard display.showsImages else { return nil }
    let room = ResourceTile.imageSize(geometry.tile, geometry.layout)
    guard room.columns > 0, room.rows > 0 else { return nil }
    return ImageKey.roundedSide(display.longestSide(of: room))
  }

  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas) {
    guard let record else { return }
    canvas.title(record.record.title, summary(of: record, context), in: layout.title)
    if window.count == 0 {
      canvas.text("No images yet", in: layout.content.line(layout.content.rows / 2), .dim, .centre)
    }
    collection.draw(
      tile(context), tiles(of: record.record, context), in: layout.content, on: &canvas)
    collection.drawPull(in: layout.content, on: &canvas)
  }

  func statusText(in context: ScreenContext) -> String? {
    if let index = collection.lifted, let item = window.item(at: index) {
      return item.displayName + "  ·  Enter opens it, Esc puts it back"
    }
    guard let selected else { return nil }
    if selected.needsPassword {
      return "Encrypted; Enter asks for the password of \(selected.displayName)"
    }
    if let reason = selected.reason, !selected.isCancelled {
      return "\(selected.displayName): \(reason)"
    }
    return context.library.hostStatusText
  }

  /// Returns the state and progress of the record, for the title line.
  private func summary(of record: RecordItem, _ context: ScreenContext) -> String {
    let entry = RecordEntry(record, in: context.library)
    let isNarrow = context.display.size.columns < 60
    var parts = [entry.status, isNarrow ? entry.share : entry.shortDone]
    if !isNarrow, entry.rate > 0 { parts.append(Readable.rate(entry.rate)) }
    return parts.joined(separator: "  ")
  }

  /// Returns the source of the tiles, which looks up the image of each resource.
  private func tiles(
    of record: Record, _ context: ScreenContext
  ) -> some ItemSource<ResourceEntry> {
    let side = tileSide(context.display)
    return MappedSource(base: window) { resource in
      let key = side.flatMap { ImageKey(resource, side: $0) }
      let problem = key.flatMap { context.images.problem($0) }
      let image = key.flatMap { key in
        context.images.image(key)
          ?? (problem == nil ? context.images.placeholder(of: resource.id) : nil)
      }
      return ResourceEntry(
        resource, of: record, in: context.library, image: image, problem: problem,
        isEncrypted: key.map { context.images.isEncrypted($0) } ?? false)
    }
  }
}
