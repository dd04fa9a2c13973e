/// What a worker may spend on one file.
public struct RenderLimits: Sendable, Equatable {
  /// Pixels on one side; setting `limits.imageSide`.
  public var side: Int
  /// Pixels in all; setting `limits.imagePixels`.
  public var pixels: Int
  /// Setting `limits.pdfPages`.
  public var pages: Int

  public init(side: Int, pixels: Int, pages: Int) {
    self.side = side
    self.pixels = pixels
    self.pages = pages
  }

  /// Refuses a size beyond the limits; called with what the header says, before pixels are decoded.
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

  /// Refuses a document with more pages than `limits.pdfPages`.
  public func check(pageCount: Int) throws(RenderError) {
    guard pageCount > 0 else { throw RenderError(.damaged, "the document has no pages") }
    guard pageCount <= pages else {
      throw RenderError(.limit, "\(pageCount) pages exceed limits.pdfPages (\(pages))")
    }
  }
}
