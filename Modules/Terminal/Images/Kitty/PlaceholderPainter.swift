/// A painter for kitty's Unicode placeholders: an image is sent once, with its size in cells, and then shown
/// wherever placeholder cells with its number are written. tmux moves these cells like text.
struct PlaceholderPainter: ImagePainter {
  /// The identity of an image in one size, without its pixels, so that the painter does not keep them.
  private struct Key: Hashable {
    let image: Image.ID
    let size: Size
    let source: PixelRect
  }

  /// The image numbers, which are indexes of palette colours: the foreground of a cell is its image's number.
  private static let numbers: ClosedRange<UInt8> = 16...255

  private let cell: PixelSize
  private let isWrapped: Bool
  private var stored: [Key: (number: UInt8, lastUse: Int)] = [:]
  private var free = Array(numbers.reversed())
  private var upload: (key: Key, sending: KittyUpload)?
  private var clock = 0
  /// The previous frame, whose images remain visible until the images of the current frame are complete.
  private var previousFrame: CellBuffer?
  private(set) var needsAnotherFrame = false

  init(_ capabilities: Capabilities) {
    cell = capabilities.cellPixels
    isWrapped = capabilities.isTmux
  }

  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output) {
    clock += 1
    needsAnotherFrame = false
    let places = buffer.placements.enumerated().compactMap { Self.place($1, UInt32($0), buffer) }
    for place in places { stored[place.key]?.lastUse = clock }
    let missing = places.filter { stored[$0.key] == nil }
    touch(previousNumbers(below: missing))
    if let current = upload, !places.contains(where: { $0.key == current.key }) {
      current.sending.cancel(&output)
      free.append(UInt8(clamping: current.sending.number))
      upload = nil
    }
    let start = output.count
    // An upload that has begun is continued first, because no other graphics command may interrupt it.
    let begun = upload?.key
    let order = places.filter { $0.key == begun } + places.filter { $0.key != begun }
    for place in order where stored[place.key] == nil {
      if output.count > start && output.count - start >= budget {
        needsAnotherFrame = true
        break
      }
      send(place, budget: budget - (output.count - start), &output)
      if upload != nil {
        needsAnotherFrame = true
        break
      }
    }
    for place in places { draw(place, &buffer) }
    drawPreviousImages(for: missing.filter { stored[$0.key] == nil }, &buffer)
    previousFrame = buffer
  }

  private struct Placement {
    let key: Key
    let image: Image
    let rect: Rect
    let number: UInt32
  }

  /// Returns the placement of the whole image if its cells can be numbered, so that scrolling does not send
  /// the image again, else that of the visible part; nil if no part is visible.
  private static func place(
    _ placement: ImagePlacement, _ number: UInt32, _ buffer: CellBuffer
  ) -> Placement? {
    let rect = placement.rect
    let limit = PlaceholderCell.limit
    let shown = rect.intersection(buffer.bounds)
    guard !shown.isEmpty else { return nil }
    if rect.columns <= min(limit, buffer.width), rect.rows <= min(limit, buffer.height) {
      let key = Key(
        image: placement.image.id, size: rect.size, source: placement.source)
      return Placement(key: key, image: placement.image, rect: rect, number: number)
    }
    let part = Rect(shown.column, shown.row, min(limit, shown.columns), min(limit, shown.rows))
    guard let fragment = ImageFragment(placement, showing: part) else { return nil }
    let key = Key(image: placement.image.id, size: part.size, source: fragment.source)
    return Placement(key: key, image: placement.image, rect: part, number: number)
  }

  private mutating func send(_ place: Placement, budget: Int, _ output: inout Output) {
    let key = place.key
    var current: KittyUpload
    if let upload {
      current = upload.sending
    } else {
      guard let number = freeNumber(&output) else { return }
      current = start(place, number)
    }
    guard current.send(budget: budget, &output) else {
      upload = (key, current)
      return
    }
    upload = nil
    stored[key] = (UInt8(clamping: current.number), clock)
  }

  private func start(_ place: Placement, _ number: UInt8) -> KittyUpload {
    let key = place.key
    let limit = PixelSize(key.size.columns * cell.width, key.size.rows * cell.height)
    let (size, pixels) = PixelScaler.cut(place.image, key.source, limit: limit)
    return KittyUpload(
      number: Int(number), image: place.image, size: size, pixels: pixels,
      keys: "a=T,U=1,c=\(key.size.columns),r=\(key.size.rows)", compressed: true,
      isWrapped: isWrapped)
  }

  /// Returns a free image number or, if there is none, the number of the least recently shown image.
  private mutating func freeNumber(_ output: inout Output) -> UInt8? {
    if let number = free.popLast() { return number }
    guard let oldest = stored.min(by: { $0.value.lastUse < $1.value.lastUse }),
      oldest.value.lastUse < clock
    else { return nil }
    stored[oldest.key] = nil
    KittyCommand.delete(Int(oldest.value.number), isWrapped, &output)
    return oldest.value.number
  }

  private func draw(_ place: Placement, _ buffer: inout CellBuffer) {
    let area = place.rect.intersection(buffer.bounds)
    let number = stored[place.key]?.number
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn {
        let index = row &* buffer.width &+ column
        let cell = buffer.cells[index]
        guard cell.kind.contains(.image), cell.content == place.number else { continue }
        buffer.cells[index] =
          number.map {
            PlaceholderCell.cell(
              row: row &- place.rect.row, column: column &- place.rect.column, number: $0)
          } ?? .blank
      }
    }
  }

  // MARK: - Replacements until the pixels are transferred

  /// Returns the numbers of the images that the previous frame shows in the rectangles of `places`.
  private func previousNumbers(below places: [Placement]) -> Set<UInt8> {
    guard let previousFrame else { return [] }
    var numbers: Set<UInt8> = []
    for place in places {
      let area = place.rect.intersection(previousFrame.bounds)
      for row in area.row..<area.endRow {
        for column in area.column..<area.endColumn {
          if let number = previousFrame.cells[row &* previousFrame.width &+ column]
            .placeholderNumber
          {
            numbers.insert(number)
          }
        }
      }
    }
    return numbers
  }

  /// Marks image numbers as used in this frame, so that they are not assigned to other images.
  private mutating func touch(_ numbers: Set<UInt8>) {
    guard !numbers.isEmpty else { return }
    for (key, entry) in stored where numbers.contains(entry.number) { stored[key]?.lastUse = clock }
  }

  /// Draws the previous frame's images in place of missing ones, so that no gap shows, except where other
  /// content is drawn.
  private func drawPreviousImages(for places: [Placement], _ buffer: inout CellBuffer) {
    let numbers = previousNumbers(below: places)
    guard let previousFrame, previousFrame.size == buffer.size, !numbers.isEmpty else { return }
    for index in buffer.cells.indices where buffer.cells[index] == .blank {
      let old = previousFrame.cells[index]
      if let number = old.placeholderNumber, numbers.contains(number) { buffer.cells[index] = old }
    }
  }

  mutating func screenWasErased(_ output: inout Output) { previousFrame = nil }

  mutating func finish(_ output: inout Output) {
    if let upload { upload.sending.cancel(&output) }
    upload = nil
    for entry in stored.values { KittyCommand.delete(Int(entry.number), isWrapped, &output) }
    stored = [:]
  }
}
