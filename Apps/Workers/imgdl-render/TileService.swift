import Decoding
import Models
import Rendering
import RenderingCodecs

/// Puts rows of tiles together.
final class TileService {
  private let encoder: StripEncoder

  init() throws(RenderError) { encoder = try StripEncoder() }

  /// Decodes the tiles one after the other, so that one decoded tile and the row are in memory at a time.
  func strips(
    of row: TileRow, _ source: ImageSource, _ decoder: any ImageDecoder
  ) throws(RenderError) -> RenderResult {
    guard source.format.kind == .image, ![.svg, .svgz].contains(source.format) else {
      throw RenderError(.unsupported, "a tile that is not an image (\(source.format.mediaType))")
    }
    // Three planes, and the strips in their worst case.
    try source.limits.check(bytesPerPixel: 4, width: row.width, height: row.height)
    var planes = StripPlanes(width: row.width, height: row.height)
    var info: DocumentInfo?
    var offset = 0
    for (index, count) in row.byteCounts.enumerated() {
      guard count <= source.bytes.count - offset else {
        throw RenderError(.truncated, "tile \(index + 1) of a row is incomplete")
      }
      let bytes = UnsafeRawBufferPointer(rebasing: source.bytes[offset..<(offset + count)])
      offset += count
      let tile = ImageSource(
        bytes: bytes, format: ResourceFormat(sniffing: bytes), limits: source.limits)
      let page = try decode(tile, decoder, index, of: row)
      info = info ?? page.info
      planes.place(Self.opaque(page.raster), at: index * row.tileWidth)
    }
    guard let info, offset == source.bytes.count else {
      throw RenderError(.damaged, "the row has bytes after its last tile")
    }
    return RenderResult(info: info, renditions: try encoder.encode(planes, row))
  }

  /// Returns the raster without transparency and with full colour resolution, as a decoder would show it.
  private static func opaque(_ raster: Raster) -> Raster {
    var options = SampleOptions()
    options.mode = .unchanged
    return raster.sample(
      SampleGeometry(imageWidth: raster.width, imageHeight: raster.height, options))
  }

  private func decode(
    _ tile: ImageSource, _ decoder: any ImageDecoder, _ index: Int, of row: TileRow
  ) throws(RenderError) -> DecodedPage {
    let page = try decoder.decode(tile, page: 0, side: DocumentInfo.maximumSide)
    if let damage = page.damage { throw damage }
    let expected = PixelSize(width: row.width(ofTile: index), height: row.height)
    guard page.info.width == expected.width, page.info.height == expected.height,
      page.raster.width == expected.width, page.raster.height == expected.height
    else {
      throw RenderError(
        .damaged,
        "tile \(index + 1) of a row has \(page.info.width) × \(page.info.height) pixels "
          + "instead of \(expected.width) × \(expected.height)")
    }
    guard page.orientation == .upright else {
      throw RenderError(.damaged, "tile \(index + 1) of a row is rotated")
    }
    return page
  }
}
