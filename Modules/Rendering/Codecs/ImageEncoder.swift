public import Decoding
import Models
public import Rendering

/// Encodes finished images as JPEG, or as PNG if they have transparency.
public final class ImageEncoder {
  private let jpeg: JPEGEncoder

  public init() throws(RenderError) {
    jpeg = try JPEGEncoder()
  }

  /// - Parameters:
  ///   - raster: An upright raster in its final size, as returned by `Raster.scaled(to:_:)`.
  ///   - quality: The JPEG quality, 1...100; 0 returns pixels (`PixelRendition`).
  ///   - isLossless: Whether the image is so small that its pixels matter, as those of a flag or an icon: PNG, because
  ///     JPEG stores one colour for four pixels. Colour planes must be as large as the luminance plane.
  public func encode(
    _ raster: Raster, quality: Int, isLossless: Bool = false
  ) throws(RenderError) -> Rendition {
    if quality == 0 { return raster.pixelRendition }
    if case .rgba(isOpaque: false) = raster.layout, raster.planes[0].hasTransparency {
      let bytes = try PNGEncoder.encode(raster.planes[0].dividedByAlpha())
      return Rendition(format: .png, width: raster.width, height: raster.height, bytes: bytes)
    }
    if isLossless {
      let bytes = try PNGEncoder.encode(raster, level: 6)
      return Rendition(format: .png, width: raster.width, height: raster.height, bytes: bytes)
    }
    let bytes = try jpeg.encode(raster, quality: quality)
    return Rendition(format: .jpeg, width: raster.width, height: raster.height, bytes: bytes)
  }
}

extension Plane {
  fileprivate var hasTransparency: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] != 255 }
    }
  }

  func dividedByAlpha() -> Plane {
    var result = self
    result.bytes.withUnsafeMutableBufferPointer { bytes in
      for index in stride(from: 0, to: bytes.count - 3, by: 4) {
        let alpha = UInt32(bytes[index + 3])
        if alpha == 255 { continue }
        for component in index..<(index + 3) {
          let value = alpha == 0 ? 0 : (UInt32(bytes[component]) * 255 + alpha / 2) / alpha
          bytes[component] = UInt8(min(255, value))
        }
      }
    }
    return result
  }
}
