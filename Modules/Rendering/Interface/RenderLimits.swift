public import Models

/// The limits for rendering one file.
public struct RenderLimits: Sendable, Equatable {
  /// The maximum width and height in pixels; setting `limits.imageSide`.
  public var side: Int
  /// The maximum number of pixels; setting `limits.imagePixels`.
  public var pixels: Int
  /// The maximum number of bytes of pixels and coefficients that a decoder may hold at a time; setting
  /// `limits.imageMemory`.
  public var memory: Int
  /// The maximum number of pages; setting `limits.pdfPages`.
  public var pages: Int
  /// The maximum number of pixels of one rendered page; setting `limits.pdfPagePixels`.
  public var pagePixels: Int

  public init(_ limits: Settings.Limits = Settings().limits) {
    side = limits.imageSide
    pixels = limits.imagePixels
    memory = limits.imageMemory
    pages = limits.pdfPages
    pagePixels = limits.pdfPagePixels
  }

  /// Creates limits from five numbers, in the order of `list`; nil for another count.
  public init?(_ list: [Int]) {
    guard list.count == 5 else { return nil }
    self.init(
      side: list[0], pixels: list[1], memory: list[4], pages: list[2], pagePixels: list[3])
  }

  public init(
    side: Int, pixels: Int, memory: Int = 1 << 30, pages: Int, pagePixels: Int = 40_000_000
  ) {
    self.side = side
    self.pixels = pixels
    self.memory = memory
    self.pages = pages
    self.pagePixels = pagePixels
  }

  public var list: [Int] { [side, pixels, pages, pagePixels, memory] }

  /// Rejects a size beyond the limits. Called with the size in the header, before pixels are decoded.
  public func check(width: Int, height: Int) throws(RenderError) {
    guard width > 0, height > 0 else {
      throw RenderError(.damaged, "the image has no size (\(width) × \(height))")
    }
    guard width <= side, height <= side else {
      throw RenderError(
        .limit, "\(width) × \(height) pixels: a side exceeds limits.imageSide (\(side))")
    }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixels else {
      throw RenderError(
        .limit, "\(width) × \(height) pixels exceed limits.imagePixels (\(pixels))")
    }
  }

  /// Rejects an image whose decoding needs more memory than allowed. Called before the allocation.
  /// - Parameter bytesPerPixel: The number of bytes that the decoder holds for each pixel of the whole image;
  ///   0 for a decoder that works row by row.
  public func check(bytesPerPixel: Double, width: Int, height: Int) throws(RenderError) {
    let bytes = Double(width) * Double(height) * bytesPerPixel
    guard bytes <= Double(memory) else {
      throw RenderError(
        .limit,
        "\(width) × \(height) pixels, which take \(Int(bytes / 1e6)) MB to decode, exceed "
          + "limits.imageMemory (\(memory / 1_000_000) MB)")
    }
  }

  /// Rejects a page of a document that would be rendered with more pixels than `limits.pdfPagePixels`.
  public func check(pageWidth: Int, pageHeight: Int) throws(RenderError) {
    let (area, overflow) = pageWidth.multipliedReportingOverflow(by: pageHeight)
    guard !overflow, area <= pagePixels else {
      throw RenderError(
        .limit,
        "a page of \(pageWidth) × \(pageHeight) pixels exceeds limits.pdfPagePixels (\(pagePixels))"
      )
    }
  }

  /// Returns the number of pages that are shown of a document, at most `limits.pdfPages`.
  public func shownPages(of pageCount: Int) throws(RenderError) -> Int {
    guard pageCount > 0 else { throw RenderError(.damaged, "the document has no pages") }
    return min(pageCount, pages)
  }

  /// Returns the remark about pages that are not shown, as a clause for users; nil if all are.
  public func remark(pageCount: Int) -> String? {
    guard pageCount > pages else { return nil }
    return
      "the file has \(pageCount) pages, of which the first \(pages) are shown (limits.pdfPages)"
  }
}
