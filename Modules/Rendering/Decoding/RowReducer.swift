/// Collects decoded rows of red, green, blue and alpha into a raster that is not larger than needed: squares
/// of k × k pixels are averaged while the rows arrive, so that a large image is never in memory as a whole.
///
/// The factor k is chosen so that the raster is at least twice as large as required. The Lanczos filter that
/// follows then hides the loss of detail by averaging.
public struct RowReducer {
  private let sourceWidth: Int
  private let sourceHeight: Int
  /// The side k of the averaged squares, in pixels.
  public let factor: Int
  private let isOpaque: Bool
  private let outputWidth: Int
  private let outputHeight: Int
  private var sums: [UInt32]
  private var rowsInSums = 0
  private var rowCount = 0
  private var output: [UInt8]

  /// - Parameters:
  ///   - side: The required length of the longest side in pixels.
  ///   - isOpaque: Whether the fourth byte of each pixel has no meaning.
  public init(width: Int, height: Int, side: Int, isOpaque: Bool) {
    sourceWidth = width
    sourceHeight = height
    factor = max(1, min(max(width, height) / max(1, side * 2), 255))
    self.isOpaque = isOpaque
    outputWidth = (width + factor - 1) / factor
    outputHeight = (height + factor - 1) / factor
    sums = factor > 1 ? Array(repeating: 0, count: width * 4) : []
    output = []
    output.reserveCapacity(outputWidth * outputHeight * 4)
  }

  /// Adds the next row from the top: `width` × 4 bytes, not premultiplied. The row may be modified in place.
  /// Rows beyond the height are ignored.
  public mutating func push(_ row: UnsafeMutableBufferPointer<UInt8>) {
    guard rowCount < sourceHeight, row.count >= sourceWidth * 4 else { return }
    rowCount += 1
    let row = UnsafeMutableBufferPointer(rebasing: row[..<(sourceWidth * 4)])
    if !isOpaque { multiplyByAlpha(row) }
    if factor == 1 {
      output.append(contentsOf: row)
      return
    }
    for index in row.indices { sums[index] &+= UInt32(row[index]) }
    rowsInSums += 1
    if rowsInSums == factor || rowCount == sourceHeight { flush() }
  }

  /// Returns the raster after all rows were pushed; nil before.
  public func finish() -> Raster? {
    guard rowCount == sourceHeight, output.count == outputWidth * outputHeight * 4 else {
      return nil
    }
    let plane = Plane(
      width: outputWidth, height: outputHeight, pixelSize: 4,
      coveredWidth: Double(sourceWidth) / Double(factor),
      coveredHeight: Double(sourceHeight) / Double(factor), bytes: output)
    return Raster(layout: .rgba(isOpaque: isOpaque), planes: [plane])
  }

  /// Fills the rows that a failed decoder did not push with grey, and returns the raster.
  public mutating func finishWithGrey() -> Raster? {
    let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: sourceWidth * 4)
    defer { row.deallocate() }
    row.initialize(repeating: Raster.missing)
    for x in 0..<sourceWidth { row[x * 4 + 3] = 255 }
    while rowCount < sourceHeight { push(row) }
    return finish()
  }

  /// The number of pushed rows.
  public var pushedRows: Int { rowCount }

  private mutating func flush() {
    for left in stride(from: 0, to: sourceWidth, by: factor) {
      let right = min(left + factor, sourceWidth)
      var total = SIMD4<UInt32>(repeating: 0)
      for x in left..<right {
        total &+= SIMD4(sums[x * 4], sums[x * 4 + 1], sums[x * 4 + 2], sums[x * 4 + 3])
      }
      let count = UInt32((right - left) * rowsInSums)
      for component in 0..<4 {
        output.append(UInt8(truncatingIfNeeded: (total[component] &+ count / 2) / count))
      }
    }
    for index in sums.indices { sums[index] = 0 }
    rowsInSums = 0
  }
}

/// Multiplies the colours by alpha, with the division by 255 rounded exactly.
private func multiplyByAlpha(_ row: UnsafeMutableBufferPointer<UInt8>) {
  var index = 0
  while index &+ 3 < row.count {
    let alpha = UInt32(row[index &+ 3])
    if alpha != 255 {
      for component in index..<(index &+ 3) {
        let product = UInt32(row[component]) &* alpha &+ 128
        row[component] = UInt8(truncatingIfNeeded: (product &+ (product &>> 8)) &>> 8)
      }
    }
    index &+= 4
  }
}
