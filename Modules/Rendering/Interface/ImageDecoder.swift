public import Models
public import Wiring

/// A decoding library, inside the worker process. Synchronous; used from one thread.
public protocol ImageDecoder: Sendable {
  /// The formats that it opens.
  var formats: Set<ResourceFormat> { get }

  /// Reads the header. Checks `limits` before any pixel is decoded.
  func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo

  /// Draws one page upright in sRGB, longest side exactly as asked unless that would enlarge an image.
  func render(
    _ source: ImageSource, page: Int, sides: [Int], quality: Int
  ) throws(RenderError) -> RenderResult
}

extension Port where Service == any ImageDecoder {
  /// One port a decoder, since several work beside each other: `decoder.codecs`, `decoder.vips`, …
  public static func decoder(_ name: String) -> Port<any ImageDecoder> { Port("decoder.\(name)") }
}

/// An open file: mapped read-only for the time of a call.
public struct ImageSource: Sendable {
  /// Open for reading; stays the caller's.
  public let descriptor: Int32
  public let byteCount: Int
  public let format: ResourceFormat
  public let limits: RenderLimits

  public init(descriptor: Int32, byteCount: Int, format: ResourceFormat, limits: RenderLimits) {
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.format = format
    self.limits = limits
  }
}

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
}
