public import Decoding

/// The pixels of a row of tiles: three planes of full-range BT.601 components as in JFIF, all of the same size.
public struct StripPlanes {
  let width: Int
  let height: Int
  var luma: [UInt8]
  var blue: [UInt8]
  var red: [UInt8]

  /// Creates grey planes. The product of the sides must fit into the memory.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
    luma = [UInt8](repeating: Raster.missing, count: width * height)
    blue = luma
    red = luma
  }

  /// Copies a tile.
  /// - Parameters:
  ///   - raster: An opaque raster that is as high as the planes and whose colour planes are as large as the
  ///     luminance, from `Raster.sample(_:)`.
  ///   - x: The column of the tile's left edge; the tile must end within the planes.
  public mutating func place(_ raster: Raster, at x: Int) {
    precondition(x >= 0 && x + raster.width <= width && raster.height == height)
    precondition(raster.planes.allSatisfy { $0.width == raster.width && $0.height == height })
    switch raster.layout {
    case .grey:
      Self.copy(raster.planes[0], to: &luma, at: x, width)
    case .yCbCr:
      Self.copy(raster.planes[0], to: &luma, at: x, width)
      Self.copy(raster.planes[1], to: &blue, at: x, width)
      Self.copy(raster.planes[2], to: &red, at: x, width)
    case .rgba:
      convert(raster.planes[0], at: x)
    }
  }

  private static func copy(_ plane: Plane, to output: inout [UInt8], at x: Int, _ stride: Int) {
    plane.bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        for y in 0..<plane.height {
          let row = UnsafeRawBufferPointer(
            rebasing: input[(y * plane.width)...].prefix(plane.width))
          UnsafeMutableRawBufferPointer(rebasing: output[(y * stride + x)...].prefix(plane.width))
            .copyMemory(from: row)
        }
      }
    }
  }

  /// Converts colours to full-range BT.601 (JFIF 1.02) in 16-bit fixed point.
  private mutating func convert(_ plane: Plane, at x: Int) {
    plane.bytes.withUnsafeBufferPointer { input in
      for y in 0..<plane.height {
        for column in 0..<plane.width {
          let source = (y &* plane.width &+ column) &* 4
          let (r, g, b) = (
            Int(input[source]), Int(input[source &+ 1]), Int(input[source &+ 2])
          )
          let target = y &* width &+ x &+ column
          luma[target] = Self.clamped(19_595 &* r &+ 38_470 &* g &+ 7_471 &* b &+ 32_768)
          blue[target] = Self.clamped(
            8_421_375 &- 11_059 &* r &- 21_709 &* g &+ 32_768 &* b)
          red[target] = Self.clamped(
            8_421_375 &+ 32_768 &* r &- 27_439 &* g &- 5_329 &* b)
        }
      }
    }
  }

  private static func clamped(_ value: Int) -> UInt8 { UInt8(min(255, max(0, value >> 16))) }
}
