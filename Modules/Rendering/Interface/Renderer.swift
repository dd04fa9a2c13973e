public import Models
public import Wiring

/// Turns files into pictures. Untrusted data is decoded in worker processes: a crash, a hang or a
/// bomb there fails the one call, never the program.
public protocol Renderer: Sendable {
  /// Reads headers only: format, size, number of pages. Limits are checked here.
  /// - Parameters:
  ///   - path: of a regular file, without symbolic links in it; its format is found from its bytes.
  ///   - limits: nil means those of the settings.
  ///   - password: of an encrypted document.
  @concurrent
  func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo

  /// Draws one page in one or more sizes, in one pass over the data.
  /// - Parameter receive: called once with the result before this returns, on a thread that may
  ///   block: whoever writes the pictures to files needs no other one. Not called when there is no
  ///   result, or the caller's task was cancelled before.
  @concurrent
  func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult

  /// Stops the workers. Calls in work fail.
  func shutdown() async
}

extension Renderer {
  /// Reads headers only, within the limits of the settings.
  @concurrent
  public func probe(_ path: String) async throws(RenderError) -> DocumentInfo {
    try await probe(path, limits: nil, password: nil)
  }

  /// Reads headers only, of a document that needs no password.
  @concurrent
  public func probe(
    _ path: String, limits: RenderLimits?
  ) async throws(RenderError) -> DocumentInfo {
    try await probe(path, limits: limits, password: nil)
  }

  /// Draws one page in one or more sizes, in one pass over the data.
  @concurrent
  public func render(_ job: RenderJob) async throws(RenderError) -> RenderResult {
    try await render(job) { _ in }
  }
}

extension Port where Service == any Renderer {
  public static var renderer: Port<any Renderer> { Port("renderer") }
}

/// What the header of a file says.
public struct DocumentInfo: Sendable, Equatable {
  /// Pixels, or points, on a side: products of two of them fit into an `Int`.
  public static let largestSide = 1_000_000

  public let format: ResourceFormat
  /// Pixels of the first page, upright (EXIF orientation applied). For a PDF: points (1/72 inch), rounded up.
  public let width: Int
  public let height: Int
  /// 1 for an image; frames of an animation are not pages.
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
  /// From 0.
  public var page: Int
  /// Longest sides in pixels, descending; an image smaller than a side is not enlarged, a PDF page is drawn at that size.
  public var sides: [Int]
  /// JPEG quality 1...100; pictures with transparency become PNG. 0: pixels, as a BMP of 32 bits
  /// (`PixelRendition`), for those who show them.
  public var quality: Int
  /// nil means those of the settings.
  public var limits: RenderLimits?
  /// Of an encrypted document.
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
  /// One for each side of the job, in that order.
  public let renditions: [Rendition]
  /// Why the pictures show only a part of the page: its code is `.damaged` or `.truncated`. What
  /// could not be decoded is grey. nil for a page that is whole.
  public let damage: RenderError?

  public init(info: DocumentInfo, renditions: [Rendition], damage: RenderError? = nil) {
    self.info = info
    self.renditions = renditions
    self.damage = damage
  }
}

/// An encoded picture, upright, in sRGB.
public struct Rendition: Sendable, Equatable, CustomStringConvertible {
  /// `.jpeg`, or `.png` with transparency; `.bmp` if pixels were requested.
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
