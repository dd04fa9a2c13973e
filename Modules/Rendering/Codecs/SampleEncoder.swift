import CSpng
import CTurboJPEG
import CWebP
public import Decoding
import Glibc
import Models
public import Rendering

/// Encodes samples of datasets.
public final class SampleEncoder {
  private let jpeg: JPEGEncoder

  public init() throws(RenderError) {
    jpeg = try JPEGEncoder()
  }

  /// - Parameter raster: The result of `Raster.sample(_:)`.
  public func encode(_ raster: Raster, _ options: SampleOptions) throws(RenderError) -> Rendition {
    let bytes =
      switch options.codec {
      case .jpeg: try jpeg.encode(raster.withHalvedColour(), quality: options.quality)
      case .png: try PNGEncoder.encode(raster, level: options.quality)
      case .webp: try WebPEncoder.encode(raster.pixels(size: 4), quality: options.quality)
      }
    return Rendition(
      format: options.codec.format, width: raster.width, height: raster.height, bytes: bytes)
  }
}

/// Encodes WebP.
private enum WebPEncoder {
  static func encode(_ plane: Plane, quality: Int) throws(RenderError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    let (width, height) = (Int32(clamping: plane.width), Int32(clamping: plane.height))
    let stride = Int32(clamping: plane.rowBytes)
    let size =
      quality > 100
      ? WebPEncodeLosslessRGBA(plane.bytes, width, height, stride, &output)
      : WebPEncodeRGBA(plane.bytes, width, height, stride, Float(quality), &output)
    guard size > 0, let output else {
      throw RenderError(.io, "the decoded image cannot be written as a WebP")
    }
    defer { WebPFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: size))
  }
}

extension Raster {
  /// Returns the raster as JPEG stores it: a colour sample is the mean of two by two pixels.
  fileprivate func withHalvedColour() -> Raster {
    guard layout == .yCbCr else { return self }
    return Raster(layout: .yCbCr, planes: [planes[0]] + planes[1...].map { $0.halved() })
  }

  /// Returns the image as red, green and blue.
  /// - Parameter size: The bytes of a pixel: 3, or 4 with opaque alpha.
  func pixels(size: Int) -> Plane {
    let count = width * height
    let bytes = [UInt8](unsafeUninitializedCapacity: count * size) { output, written in
      for pixel in 0..<count {
        let (red, green, blue) = color(pixel)
        output[pixel &* size] = red
        output[pixel &* size &+ 1] = green
        output[pixel &* size &+ 2] = blue
        if size == 4 { output[pixel &* 4 &+ 3] = 255 }
      }
      written = count * size
    }
    return Plane(width: width, height: height, pixelSize: size, bytes: bytes)
  }

  /// Full-range BT.601 (JFIF 1.02), in 16-bit fixed point.
  @inline(__always)
  private func color(_ pixel: Int) -> (UInt8, UInt8, UInt8) {
    switch layout {
    case .grey:
      let grey = planes[0].bytes[pixel]
      return (grey, grey, grey)
    case .rgba:
      let bytes = planes[0].bytes
      return (bytes[pixel &* 4], bytes[pixel &* 4 &+ 1], bytes[pixel &* 4 &+ 2])
    case .yCbCr:
      let level = Int(planes[0].bytes[pixel]) << 16 &+ 32_768
      let u = Int(planes[1].bytes[pixel]) &- 128
      let v = Int(planes[2].bytes[pixel]) &- 128
      return (
        Self.clampedFixed(level &+ 91_881 &* v),
        Self.clampedFixed(level &- 22_554 &* u &- 46_802 &* v),
        Self.clampedFixed(level &+ 116_130 &* u)
      )
    }
  }

  private static func clampedFixed(_ value: Int) -> UInt8 { UInt8(min(255, max(0, value >> 16))) }
}

extension Plane {
  /// Returns the means of two by two pixels; the last row or column of an odd size repeats.
  fileprivate func halved() -> Plane {
    let (newWidth, newHeight) = ((width + 1) / 2, (height + 1) / 2)
    let bytes = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { output, count in
      self.bytes.withUnsafeBufferPointer { source in
        for y in 0..<newHeight {
          let top = y &* 2 &* width
          let bottom = min(y &* 2 &+ 1, height &- 1) &* width
          for x in 0..<newWidth {
            let (left, right) = (x &* 2, min(x &* 2 &+ 1, width &- 1))
            let sum =
              Int(source[top &+ left]) &+ Int(source[top &+ right]) &+ Int(source[bottom &+ left])
              &+ Int(source[bottom &+ right])
            // Alternately rounded up and down, so that the colour does not drift.
            output[y &* newWidth &+ x] = UInt8(truncatingIfNeeded: (sum &+ 1 &+ x & 1) >> 2)
          }
        }
      }
      count = newWidth * newHeight
    }
    return Plane(
      width: newWidth, height: newHeight, pixelSize: 1, coveredWidth: Double(width) / 2,
      coveredHeight: Double(height) / 2, bytes: bytes)
  }
}
