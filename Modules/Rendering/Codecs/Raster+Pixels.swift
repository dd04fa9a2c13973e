public import Decoding
public import Models
import Rendering

extension Raster {
  /// The ThumbHash that is shown until the image of this raster is loaded.
  /// - Precondition: The raster is upright.
  public var thumbHash: ThumbHash? {
    let size = PixelSize(width: width, height: height).fitting(ThumbHash.longestSide)
    return PixelRendition(scaled(to: size).pixelRendition).flatMap { ThumbHash($0) }
  }

  /// The image as unencoded pixels, for display.
  var pixelRendition: Rendition {
    var bytes = PixelRendition.header(width: width, height: height)
    bytes.reserveCapacity(bytes.count + width * height * 4)
    switch layout {
    case .grey: appendGrey(to: &bytes)
    case .yCbCr: appendColours(to: &bytes)
    case .rgba(let isOpaque):
      append(isOpaque ? planes[0] : planes[0].dividedByAlpha(), isOpaque, to: &bytes)
    }
    return Rendition(format: .bmp, width: width, height: height, bytes: bytes)
  }

  private func appendGrey(to output: inout [UInt8]) {
    let plane = planes[0]
    plane.bytes.withUnsafeBufferPointer { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let grey = bytes[y &* plane.width &+ x]
          output.append(grey)
          output.append(grey)
          output.append(grey)
          output.append(255)
        }
      }
    }
  }

  private func append(_ plane: Plane, _ isOpaque: Bool, to output: inout [UInt8]) {
    plane.bytes.withUnsafeBufferPointer { bytes in
      for y in 0..<height {
        for x in 0..<width {
          let start = (y &* plane.width &+ x) &* 4
          output.append(bytes[start &+ 2])
          output.append(bytes[start &+ 1])
          output.append(bytes[start])
          output.append(isOpaque ? 255 : bytes[start &+ 3])
        }
      }
    }
  }

  /// Appends the colours, converted from full-range BT.601 (JFIF 1.02) in 16-bit fixed point. Coarser colour
  /// planes are not smoothed.
  private func appendColours(to output: inout [UInt8]) {
    let (luma, blue, red) = (planes[0], planes[1], planes[2])
    let columns = (0..<width).map { min(blue.width - 1, $0 * blue.width / luma.width) }
    luma.bytes.withUnsafeBufferPointer { luminance in
      blue.bytes.withUnsafeBufferPointer { blues in
        red.bytes.withUnsafeBufferPointer { reds in
          for y in 0..<height {
            let row = min(blue.height - 1, y * blue.height / luma.height) &* blue.width
            for x in 0..<width {
              let level = Int(luminance[y &* luma.width &+ x]) << 16 &+ 32_768
              let u = Int(blues[row &+ columns[x]]) &- 128
              let v = Int(reds[row &+ columns[x]]) &- 128
              output.append(Self.clamped(level &+ 116_130 &* u))
              output.append(Self.clamped(level &- 22_554 &* u &- 46_802 &* v))
              output.append(Self.clamped(level &+ 91_881 &* v))
              output.append(255)
            }
          }
        }
      }
    }
  }

  private static func clamped(_ value: Int) -> UInt8 { UInt8(min(255, max(0, value >> 16))) }
}
