public import Models
public import SystemCalls
public import Wiring

/// Renders files to images. Untrusted data is decoded in worker processes: a crash, a hang or a decompression
/// bomb fails the one call, never the program.
public protocol Renderer: Sendable {
  /// Reads only the header of a file: format, size and number of pages. Checks the limits.
  /// - Parameters:
  ///   - path: The path of a regular file, without symbolic links; the format is detected from its bytes.
  ///   - limits: The limits; nil means those of the settings.
  ///   - password: The password of an encrypted document.
  @concurrent
  func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo

  /// Renders one page in one or more sizes, in one pass over the data.
  /// - Parameter receive: Called once with the result before this method returns, on a thread that may block,
  ///   so that the caller can write the images to files there. Not called without a result or after the
  ///   caller's task was cancelled.
  @concurrent
  func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult

  /// Makes a sample of a dataset from an image.
  /// - Parameters:
  ///   - file: A regular file or memory file, open for reading; its format is detected from its bytes.
  ///   - seconds: The maximum time, that of waiting for a worker included. The worker is then stopped.
  ///   - whenEnded: Called once, on a thread that must not be blocked for long. The result has no rendition
  ///     if the image is rejected or if its bytes become the sample as they are.
  func makeSample(
    of file: OwnedDescriptor, _ options: SampleOptions, within seconds: Double,
    whenEnded: @escaping @Sendable (Result<RenderResult, RenderError>) -> Void)

  /// Puts a row of tiles together.
  /// - Parameters:
  ///   - file: A regular file, open for reading, that contains the encoded tiles of the row one after the
  ///     other; their format is detected from the bytes of the first one.
  /// - Returns: The properties of the first tile, and the strips of the row as JPEGs, from top to bottom
  ///   (`TileRow.stripHeights`).
  /// - Throws: `.damaged` or `.truncated` if a tile has another size or is incomplete.
  @concurrent
  func joinTiles(
    of row: TileRow, in file: OwnedDescriptor
  ) async throws(RenderError) -> RenderResult

  /// Stops the workers. Calls in progress fail.
  func shutdown() async
}

extension Renderer {
  public func makeSample(
    of file: OwnedDescriptor, _ options: SampleOptions, within seconds: Double,
    whenEnded: @escaping @Sendable (Result<RenderResult, RenderError>) -> Void
  ) {
    whenEnded(.failure(RenderError(.unsupported, "this renderer makes no samples")))
  }

  @concurrent
  public func joinTiles(
    of row: TileRow, in file: OwnedDescriptor
  ) async throws(RenderError) -> RenderResult {
    throw RenderError(.unsupported, "this renderer puts no tiles together")
  }

  /// Reads only the header of a file, with the limits of the settings.
  @concurrent
  public func probe(_ path: String) async throws(RenderError) -> DocumentInfo {
    try await probe(path, limits: nil, password: nil)
  }

  /// Reads only the header of a document that needs no password.
  @concurrent
  public func probe(
    _ path: String, limits: RenderLimits?
  ) async throws(RenderError) -> DocumentInfo {
    try await probe(path, limits: limits, password: nil)
  }

  /// Renders one page in one or more sizes, in one pass over the data.
  @concurrent
  public func render(_ job: RenderJob) async throws(RenderError) -> RenderResult {
    try await render(job) { _ in }
  }
}

extension Port where Service == any Renderer {
  public static var renderer: Port<any Renderer> { Port("renderer") }
}

/// The properties in the header of a file.
public struct DocumentInfo: Sendable, Equatable {
  /// The maximum width and height in pixels or points; the product of two sides fits into an `Int`.
  public static let maximumSide = 1_000_000

  public let format: ResourceFormat
  /// The upright size of the first page in pixels (EXIF orientation applied). For a PDF: points (1/72 inch),
  /// rounded up.
  public let width: Int
  public let height: Int
  /// The number of pages; 1 for an image, since frames of an animation are not pages.
  public let pageCount: Int
  public let hasAlpha: Bool
  public let isAnimated: Bool

  public init(
    format: ResourceFormat, width: Int, height: Int, pageCount: Int = 1, hasAlpha: Bool = false,
    isAnimated: Bool = false
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.pageCount = pageCount
    self.hasAlpha = hasAlpha
    self.isAnimated = isAnimated
  }
}

public struct RenderJob: Sendable, Equatable {
  public var path: String
  /// The index of the page, from 0.
  public var page: Int
  /// The longest sides in pixels, descending. An image smaller than a side is not enlarged; a PDF page is
  /// rendered at that size.
  public var sides: [Int]
  /// The JPEG quality, 1...100; images with transparency become PNG. 0 requests pixels for display, as a BMP
  /// of 32 bits (`PixelRendition`).
  public var quality: Int
  /// The limits; nil means those of the settings.
  public var limits: RenderLimits?
  /// The password of an encrypted document.
  public var password: DocumentPassword?

  public init(path: String, page: Int = 0, sides: [Int], quality: Int = 85) {
    self.path = path
    self.page = page
    self.sides = sides
    self.quality = quality
  }
}

public struct RenderResult: Sendable, Equatable {
  public let info: DocumentInfo
  /// The images, one for each side of the job, in that order.
  public let renditions: [Rendition]
  /// The ThumbHash of the page; nil for a probe and if pixels were requested.
  public let thumbHash: ThumbHash?
  /// The damage if the images show only a part of the page, with the code `.damaged` or `.truncated`. Parts
  /// that could not be decoded are grey. nil for an intact page.
  public let damage: RenderError?
  /// A remark about an irregular file that has all of its pixels, as a clause for users; nil for a regular file.
  public let remark: String?
  /// The properties of a sample of a dataset; nil for every other result.
  public let sample: SampleResult?

  public init(
    info: DocumentInfo, renditions: [Rendition], thumbHash: ThumbHash? = nil,
    damage: RenderError? = nil, remark: String? = nil, sample: SampleResult? = nil
  ) {
    self.info = info
    self.renditions = renditions
    self.thumbHash = thumbHash
    self.damage = damage
    self.remark = remark
    self.sample = sample
  }
}

/// An encoded image, upright, in sRGB.
public struct Rendition: Sendable, Equatable, CustomStringConvertible {
  /// The format: `.jpeg`, or `.png` with transparency; `.bmp` if pixels were requested.
  public let format: ResourceFormat
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  public init(format: ResourceFormat, width: Int, height: Int, bytes: [UInt8]) {
    self.format = format
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  public var description: String { "\(format) \(width) × \(height), \(bytes.count) bytes" }
}
