import Decoding
import Models
import RenderMessages
import Rendering
import RenderingCodecs
import SystemCalls
import WorkerProcess

/// Answers render requests, one at a time.
final class RenderService {
  /// The longest side in pixels: the limit of the JPEG format.
  private static let maxSide = 65_500
  /// The longest side in pixels of images that are encoded without loss, because JPEG would mix the colours of
  /// neighbouring pixels.
  private static let tinySide = 64
  /// The shortest side in pixels of results that are encoded without loss, for the same reason.
  private static let thinSide = 16

  private let formats: Set<ResourceFormat>
  /// The decoder, or the error with which its libraries could not be opened, because they are not installed.
  private let decoder: Result<any ImageDecoder, RenderError>
  private let encoder: ImageEncoder
  private let samples: SampleService
  private let tiles: TileService
  /// The result that is too large for a frame. It is kept until the parent process sends the shared memory
  /// for it.
  private var large: RenderResult?

  /// Opens the decoder and its libraries, among them glib, because the confined worker could not open them
  /// later.
  init(_ descriptor: DecoderDescriptor) throws(RenderError) {
    formats = descriptor.summary.formats
    decoder = Result { () throws(RenderError) in TruncationReportingDecoder(try descriptor.open()) }
    encoder = try ImageEncoder()
    samples = try SampleService()
    tiles = try TileService()
  }

  /// Answers a request or receives the memory for the last result.
  /// - Throws: `WorkerError` for a message that is not a request.
  func respond(to frame: Frame) throws(WorkerError) -> Frame {
    do throws(RenderError) {
      if let memory = try RenditionMemory(frame) { return try replyWithPendingResult(in: memory) }
    } catch {
      return RenderReply.failure(error).frame()
    }
    let request = try RenderRequest(frame)
    do throws(RenderError) {
      guard let file = frame.descriptors.first else {
        throw RenderError(.io, "the request has no file descriptor")
      }
      return try reply(try result(of: request, file), request).frame()
    } catch {
      return RenderReply.failure(RenderError(error.code, escaping: error.detail)).frame()
    }
  }

  private func reply(
    _ result: RenderResult, _ request: RenderRequest
  ) throws(RenderError) -> RenderReply {
    let size = result.renditions.reduce(0) { $0 + $1.bytes.count }
    guard size > RenderReply.maxBytesInFrame else { return .result(result) }
    guard size <= request.memoryCapacity else {
      throw RenderError(
        .limit, "images of \(size) bytes exceed the maximum size of a reply")
    }
    large = result
    return .large(size)
  }

  private func replyWithPendingResult(in memory: RenditionMemory) throws(RenderError) -> Frame {
    guard let result = large.take() else {
      throw RenderError(.io, "no rendered image is waiting for memory")
    }
    return RenderReply.result(result).frame(memory)
  }

  private func result(
    of request: RenderRequest, _ file: OwnedDescriptor
  ) throws(RenderError) -> RenderResult {
    let contents = try FileBytes(file)
    let source = ImageSource(
      bytes: contents.bytes, format: ResourceFormat(sniffing: contents.bytes),
      limits: request.limits, password: request.password,
      keepsStoredColors: request.isSample)
    return try withExtendedLifetime(contents) { () throws(RenderError) in
      try result(of: request, source, decoder.get())
    }
  }

  private func result(
    of request: RenderRequest, _ source: ImageSource, _ decoder: any ImageDecoder
  ) throws(RenderError) -> RenderResult {
    guard formats.contains(source.format) else {
      throw RenderError(.unsupported, source.format.reasonWithoutPreview)
    }
    switch request.operation {
    case .probe:
      return RenderResult(info: try decoder.probe(source), renditions: [])
    case .render(let page, let sides, let quality):
      guard page >= 0, let largest = sides.max(), largest <= Self.maxSide, (sides.min() ?? 0) > 0
      else { throw RenderError(.io, "an invalid page or size") }
      let decoded = try decoder.decode(source, page: page, side: largest)
      return try encode(decoded, sides: sides, quality: quality)
    case .sample(let options): return try samples.sample(of: source, options, decoder)
    case .tiles(let row): return try tiles.strips(of: row, source, decoder)
    }
  }

  /// Scales the page to each size, beginning with the largest. Each size is scaled from the one before.
  private func encode(
    _ page: DecodedPage, sides: [Int], quality: Int
  ) throws(RenderError) -> RenderResult {
    // The page of a document is decoded at the requested size, an image at its stored size.
    let full =
      page.info.format.kind == .document
      ? PixelSize(width: page.raster.width, height: page.raster.height)
      : PixelSize(width: page.info.width, height: page.info.height)
    var renditions: [Int: Rendition] = [:]
    var raster = page.raster
    var orientation = page.orientation
    let isImage = page.info.format.kind == .image
    for side in Set(sides).sorted(by: >) {
      let size = full.fitting(side)
      let isLossless =
        isImage
        && (full.longestSide <= Self.tinySide || min(size.width, size.height) <= Self.thinSide)
      raster = raster.scaled(to: size, orientation, keepsColours: isLossless)
      orientation = .upright
      renditions[side] = try encoder.encode(raster, quality: quality, isLossless: isLossless)
    }
    return RenderResult(
      info: page.info, renditions: sides.compactMap { renditions[$0] },
      // Pixels are requested for immediate display, which needs no ThumbHash.
      thumbHash: quality == 0 ? nil : raster.thumbHash,
      damage: page.damage.map { RenderError($0.code, escaping: $0.detail) }, remark: page.remark)
  }
}

extension RenderRequest {
  fileprivate var isSample: Bool {
    if case .sample = operation { true } else { false }
  }
}
