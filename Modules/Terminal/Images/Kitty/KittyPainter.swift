/// A painter for kitty's graphics protocol: the pixels are sent once, then placed, cropped and scaled by
/// commands of some sixty bytes.
///
/// Cells drawn over an image are cut out of it, so it does not matter whether the terminal draws images above
/// or below text. Images are placed above, which is the default: with images below text, kitty 0.26 uses
/// another renderer, which is slower and gets the colours of backgrounds wrong.
struct KittyPainter: ImagePainter {
  private struct StoredImage {
    let number: Int
    /// The size in the terminal's accounting, with four bytes per pixel.
    let bytes: Int
    var lastUse: Int
  }

  private struct PlacementNumbers {
    let image: Int
    let placement: Int
  }

  /// The limit for pixels that the terminal holds, in bytes; kitty allows 320 MB.
  private static let limit = 128 << 20

  private let compressed: Bool
  /// The images that the terminal holds, by identity, so that the painter does not keep their pixels.
  private var stored: [Image.ID: StoredImage] = [:]
  private var placed: [ImageFragment: PlacementNumbers] = [:]
  private var upload: KittyUpload?
  /// The number of times that the terminal has refused an image.
  private var refusals: [Image.ID: Int] = [:]
  private var nextNumber: Int
  private var nextPlacement = 1
  private var clock = 0
  private(set) var needsAnotherFrame = false

  /// The largest number of refusals after which an image is still sent again.
  private static let refusalLimit = 2

  /// - Parameters:
  ///   - compressed: Whether to compress pixels, for slow connections.
  ///   - firstNumber: The number of the first image; the following ones count up from it.
  init(compressed: Bool = false, firstNumber: Int = Int.random(in: 1000..<1 << 30)) {
    self.compressed = compressed
    nextNumber = firstNumber
  }

  mutating func prepare(_ buffer: inout CellBuffer, budget: Int, _ output: inout Output) {
    clock += 1
    let wanted = ImageFragment.visible(in: buffer)
    for fragment in wanted { stored[fragment.image.id]?.lastUse = clock }
    // The old images that remain visible during an upload must not be evicted.
    for fragment in placed.keys { stored[fragment.image.id]?.lastUse = clock }
    cancelUpload(wanted, buffer, &output)
    place(wanted, &output)
    removeObsolete(wanted, buffer, &output)
    sendPixels(wanted, buffer, budget: budget, &output)
    evict(&output)
  }

  // MARK: - Pixels

  /// Cancels an upload whose image is no longer wanted, or that blocks other commands.
  private mutating func cancelUpload(
    _ wanted: [ImageFragment], _ buffer: CellBuffer, _ output: inout Output
  ) {
    guard let current = upload else { return }
    let isWanted = wanted.contains { $0.image == current.image }
    let mustPlace = wanted.contains { placed[$0] == nil && stored[$0.image.id] != nil }
    if isWanted, !mustPlace, obsolete(wanted, buffer).isEmpty { return }
    current.cancel(&output)
    upload = nil
  }

  private mutating func sendPixels(
    _ wanted: [ImageFragment], _ buffer: CellBuffer, budget: Int, _ output: inout Output
  ) {
    let start = output.count
    needsAnotherFrame = false
    // An upload that has begun is continued first, because no other graphics command may interrupt it.
    let begun = upload?.image
    let order = wanted.filter { $0.image == begun } + wanted.filter { $0.image != begun }
    for fragment in order where isPending(fragment) {
      let image = fragment.image
      guard output.count == start || output.count - start < budget else {
        needsAnotherFrame = true
        return
      }
      var current = upload ?? beginUpload(image)
      let isLast = current.send(budget: budget - (output.count - start), &output)
      guard isLast else {
        upload = current
        needsAnotherFrame = true
        return
      }
      upload = nil
      stored[image.id] = StoredImage(
        number: current.number, bytes: 4 * image.size.width * image.size.height,
        lastUse: clock)
      place(wanted.filter { $0.image == image }, &output)
      removeObsolete(wanted, buffer, &output)
    }
  }

  private mutating func beginUpload(_ image: Image) -> KittyUpload {
    defer { nextNumber += 1 }
    return KittyUpload(
      number: nextNumber, image: image, size: image.size, pixels: image.pixels,
      keys: "a=t", compressed: compressed, isWrapped: false)
  }

  private mutating func evict(_ output: inout Output) {
    guard upload == nil else { return }
    var total = stored.values.reduce(0) { $0 + $1.bytes }
    guard total > Self.limit else { return }
    for (image, entry) in stored.sorted(by: { $0.value.lastUse < $1.value.lastUse })
    where total > Self.limit && entry.lastUse < clock {
      KittyCommand.delete(entry.number, false, &output)
      stored[image] = nil
      total -= entry.bytes
    }
  }

  // MARK: - Placements

  private mutating func place(_ fragments: [ImageFragment], _ output: inout Output) {
    for fragment in fragments where placed[fragment] == nil {
      guard let number = stored[fragment.image.id]?.number else { continue }
      let source = fragment.source
      output.move(to: fragment.rect.column, fragment.rect.row)
      output.append(
        text: "\u{1b}_Ga=p,i=\(number),p=\(nextPlacement),x=\(source.x),y=\(source.y)"
          + ",w=\(source.width),h=\(source.height),c=\(fragment.rect.columns)"
          + ",r=\(fragment.rect.rows),C=1,q=1\u{1b}\\")
      placed[fragment] = PlacementNumbers(image: number, placement: nextPlacement)
      nextPlacement = nextPlacement % 0x7fff_ffff + 1
    }
  }

  /// Returns whether the terminal lacks the pixels of an image and is going to receive them.
  private func isPending(_ fragment: ImageFragment) -> Bool {
    stored[fragment.image.id] == nil
      && refusals[fragment.image.id, default: 0] <= Self.refusalLimit
  }

  private mutating func removeObsolete(
    _ wanted: [ImageFragment], _ buffer: CellBuffer, _ output: inout Output
  ) {
    for fragment in obsolete(wanted, buffer) {
      guard let place = placed.removeValue(forKey: fragment) else { continue }
      output.append(
        text: "\u{1b}_Ga=d,d=i,i=\(place.image),p=\(place.placement),q=2\u{1b}\\")
    }
  }

  /// Returns the placed fragments that are no longer wanted, except those below an image that is being
  /// uploaded: the old image remains until the new one is complete, so that no gap shows.
  private func obsolete(
    _ wanted: [ImageFragment], _ buffer: CellBuffer
  ) -> [ImageFragment] {
    let kept = Set(wanted)
    let pending = wanted.filter { isPending($0) }.map(\.rect)
    let ready = wanted.filter { !isPending($0) }.map(\.rect)
    return placed.keys.filter { fragment in
      if kept.contains(fragment) { return false }
      let rect = fragment.rect
      let standsIn =
        pending.contains { !$0.intersection(rect).isEmpty }
        && ready.allSatisfy { $0.intersection(rect).isEmpty } && buffer.hasNoText(in: rect)
      return !standsIn
    }
  }

  mutating func screenWasErased(_ output: inout Output) {
    upload?.cancel(&output)
    upload = nil
    if !placed.isEmpty { output.append("\u{1b}_Ga=d,d=a,q=2\u{1b}\\") }
    placed = [:]
  }

  /// Handles an image that the terminal has evicted or refused; it is sent again up to `refusalLimit` times.
  mutating func terminalRefused(image number: Int, message: String) {
    guard let image = stored.first(where: { $0.value.number == number })?.key else { return }
    stored[image] = nil
    placed = placed.filter { $0.key.image.id != image }
    refusals[image, default: 0] += 1
    needsAnotherFrame = true
  }

  mutating func finish(_ output: inout Output) {
    upload?.cancel(&output)
    upload = nil
    for entry in stored.values { KittyCommand.delete(entry.number, false, &output) }
    stored = [:]
    placed = [:]
  }
}
