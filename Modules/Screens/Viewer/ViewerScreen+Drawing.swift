import Models
import Terminal

extension ViewerScreen {
  private var pageCount: Int { max(1, pageCounts(location.index) ?? 1) }

  // MARK: - Images

  func visibleImages(in context: ScreenContext) -> [ImageKey] {
    guard let current else { return [] }
    let side = side(in: context)
    var keys: [ImageKey] = []
    if let key = key(current, location.page, side, in: context) { keys.append(key) }
    for (index, page) in location.neighbours(pageCount: pageCounts) {
      guard let resource = window.item(at: index), let key = key(resource, page, side, in: context)
      else { continue }
      keys.append(key)
    }
    return keys
  }

  /// Returns the longest side in pixels at which a page is decoded.
  func side(in context: ScreenContext) -> Int {
    let area = layout(in: context).content
    let window = Double(context.display.longestSide(of: area.size))
    let factor = max(zoom.factor, zoom.base == .width ? 2 : 1)
    return ImageKey.roundedSide(Int(min(4_096, window * factor)))
  }

  /// Returns the key of a page's image; nil if there is no image, or the document's password was forgotten.
  private func key(
    _ resource: Resource, _ page: Int, _ side: Int, in context: ScreenContext
  ) -> ImageKey? {
    guard !context.images.isLockedAgain(resource),
      var key = ImageKey(resource, side: side) ?? remoteKey(resource, page, side)
    else { return nil }
    key.page = page
    key.turns = turns
    return key
  }

  /// Returns the key of a page of an archive that is not downloaded; nil if there is no such page.
  private func remoteKey(_ resource: Resource, _ page: Int, _ side: Int) -> ImageKey? {
    guard resource.hasRemotePages, let pages, pages.id == resource.id,
      pages.pages.indices.contains(page), pages.pages[page].hasImage
    else { return nil }
    return ImageKey(resource: resource.id, stamp: ImageKey.stamp(resource), side: side)
  }

  /// Returns the image of a page in the requested resolution or, if that is missing, in a lower one.
  func image(of resource: Resource, _ page: Int, in context: ScreenContext) -> Image? {
    var candidates = [side(in: context)]
    while let last = candidates.last, last > 64 {
      candidates.append(ImageKey.roundedSide(last / 2))
    }
    for side in candidates {
      if let key = key(resource, page, side, in: context),
        let found = context.images.image(key)
      {
        return found
      }
    }
    return nil
  }

  // MARK: - Drawing

  func footerRows(in room: Size) -> Int { 1 }

  func draw(in layout: ScreenLayout, _ context: ScreenContext, on canvas: inout Canvas) {
    guard let record else { return }
    canvas.title(current?.displayName ?? "…", positionText, in: layout.title)
    drawImage(of: record.record, in: layout.content, context, on: &canvas)
    drawStrip(in: layout.footer, context, on: &canvas)
    if showsInfo { drawInfo(record, in: layout.content, context, on: &canvas) }
  }

  private var positionText: String {
    var text = "\(Readable.count(location.index + 1))/\(Readable.count(location.count))"
    if pageCount > 1 { text = "page \(location.page + 1)/\(pageCount)  " + text }
    if zoom.factor > 1 { text = "\(Int((zoom.factor * 100).rounded()))%  " + text }
    return text
  }

  private func drawImage(
    of record: Record, in area: Rect, _ context: ScreenContext, on canvas: inout Canvas
  ) {
    let cell = context.display.cellPixels
    guard let resource = current else {
      return canvas.placeholder(["…"], in: area, cell: cell)
    }
    func draw(_ image: Image) {
      let place = zoom.place(image.size, in: area, cell: cell)
      canvas.image(image, in: place.rect, source: place.source)
    }
    if let image = image(of: resource, location.page, in: context) { return draw(image) }
    let images = context.images
    let key = key(resource, location.page, side(in: context), in: context)
    let entry = ResourceEntry(
      resource, of: record, in: context.library, image: nil,
      problem: key.flatMap { images.problem($0) },
      isEncrypted: images.isLockedAgain(resource)
        || key.map { images.isEncrypted($0) } ?? false)
    if entry.isEncrypted {
      return canvas.placeholder([entry.status, "Enter asks for it"], in: area, cell: cell)
    }
    // While the image of a finished file is being decoded, `…` replaces the status `Finished`.
    var lines = entry.isFailed || entry.status != "Finished" ? [entry.status] : ["…"]
    if let reason = entry.reason { lines.append(reason) }
    if let pages, pages.id == resource.id, pages.pages.indices.contains(location.page),
      let reason = pages.pages[location.page].reason, resource.hasRemotePages
    {
      lines.append(reason)
    }
    if let dimensions = context.library.dimensions(of: resource.id) {
      lines.append(dimensions.text)
    }
    if lines == ["…"], let key, images.isEvicted(key) { lines = ["Rendering its pages again …"] }
    if lines == ["…"], let previousImage { return draw(previousImage) }
    canvas.placeholder(lines, in: area, cell: cell)
    if let fraction = entry.fraction {
      let line = area.line(area.rows / 2 + 2).centred(Size(min(40, area.columns - 4), 1))
      canvas.bar(fraction, in: line)
    }
  }

  private func drawStrip(in area: Rect, _ context: ScreenContext, on canvas: inout Canvas) {
    let arrow = isRightToLeft ? "← " : "→ "
    let used = canvas.text(arrow, in: area.inset(columns: 1), .dim) + 1
    let strip = area.dropping(columns: used).inset(columns: 1)
    let side = side(in: context)
    ResidencyStrip.draw(
      count: location.count, position: location.index, in: strip, on: &canvas
    ) { index in
      guard slices.indices.contains(index) else { return .queued }
      let slice = slices[index]
      let key = ImageKey(resource: slice.id, stamp: slice.stamp, side: side, turns: turns)
      return context.images.residency(
        of: slice, slice.hasFile ? key : nil, isActive: context.library.isActive(slice.id),
        showsParts: true)
    }
  }

  private func drawInfo(
    _ record: RecordItem, in area: Rect, _ context: ScreenContext, on canvas: inout Canvas
  ) {
    guard let resource = current else { return }
    let page = pageCount > 1 ? location.page : nil
    var lines: [(String, String)] = [
      ("Name", resource.displayName), ("Number", resource.displayNumber(page, in: record)),
      ("URL", resource.url),
    ]
    if let file = resource.file {
      lines.append(("File", file.name))
      lines.append(("Size", "\(ByteText.short(file.byteCount)), \(file.format.mediaType)"))
    }
    if let dimensions = context.library.dimensions(of: resource.id) {
      lines.append(("Pixels", dimensions.text))
    } else if let pages, pages.id == resource.id, pages.pages.indices.contains(location.page) {
      let page = pages.pages[location.page]
      if page.width > 0 { lines.append(("Pixels", "\(page.width) × \(page.height)")) }
      if let label = page.label { lines.append(("Entry", label)) }
      // The reason of the resource names that of one page only.
      if let own = page.reason ?? page.remark, resource.reason?.contains(own) != true {
        lines.append(("Page", own))
      }
    }
    for column in [DetailColumn.time, .rate, .wait, .host] {
      let text = DetailValue.text(column, resource)
      if !text.isEmpty { lines.append((column.title, text)) }
    }
    lines.append(
      (
        "State",
        context.library.statusText(
          of: resource.id, resource.state, isCancelled: resource.isCancelled,
          isNamed: resource.isNamed, in: record.record)
      ))
    if let reason = resource.reasonWithoutPasswordHint, !resource.isCancelled {
      lines.append(("Reason", reason))
    }
    let key = key(resource, location.page, side(in: context), in: context)
    if let problem = key.flatMap({ context.images.problem($0) }) {
      lines.append(("Image", problem))
    }
    InfoBox.draw(lines, in: area, on: &canvas)
  }
}
