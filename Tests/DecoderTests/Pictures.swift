import Decoding
import Glibc
import Models
import Rendering
import RenderingCodecs
import TestSupport
import Testing

/// The limits of the default settings.
let usualLimits = RenderLimits(side: 20_000, pixels: 100_000_000, pages: 2_000)

extension Array where Element == UInt8 {
  /// Calls `body` with these bytes as the file that a decoder gets.
  func asSource<Result>(
    limits: RenderLimits = usualLimits, _ body: (ImageSource) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBytes { bytes in
      try body(
        ImageSource(bytes: bytes, format: ResourceFormat(sniffing: bytes), limits: limits))
    }
  }
}

enum Pictures {
  /// Coloured waves, some dozens of pixels long.
  static func waves(width: Int, height: Int, isOpaque: Bool = true) -> Raster {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x), Double(y))
        bytes.append(UInt8(127 + 100 * sin(u / 31 + v / 57)))
        bytes.append(UInt8(127 + 100 * sin(u / 43 - v / 23)))
        bytes.append(UInt8(127 + 100 * cos(u / 71 + v / 37)))
        bytes.append(255)
      }
    }
    let plane = Plane(width: width, height: height, pixelSize: 4, bytes: bytes)
    return Raster(layout: .rgba(isOpaque: isOpaque), planes: [plane])
  }

  static func jpeg(width: Int, height: Int, quality: Int = 95) throws -> [UInt8] {
    try ImageEncoder().encode(waves(width: width, height: height), quality: quality).bytes
  }
}

extension Raster {
  /// Red, green, blue of all pixels: by the formulas of JFIF where the layout is not that already.
  var rgb: [Double] {
    var result: [Double] = []
    result.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width { result += pixel(x, y) }
    }
    return result
  }

  private func pixel(_ x: Int, _ y: Int) -> [Double] {
    func value(_ plane: Plane, _ x: Int, _ y: Int) -> Double {
      Double(plane.bytes[min(y, plane.height - 1) * plane.width + min(x, plane.width - 1)])
    }
    switch layout {
    case .rgba:
      let start = y * planes[0].rowBytes + x * 4
      return planes[0].bytes[start..<(start + 3)].map { Double($0) }
    case .grey:
      return Array(repeating: value(planes[0], x, y), count: 3)
    case .yCbCr:
      let luma = value(planes[0], x, y)
      let scale = (planes[1].coveredWidth / planes[0].coveredWidth)
      let column = Int((Double(x) + 0.5) * scale)
      let row = Int((Double(y) + 0.5) * planes[1].coveredHeight / planes[0].coveredHeight)
      let blue = value(planes[1], column, row) - 128
      let red = value(planes[2], column, row) - 128
      return [luma + 1.402 * red, luma - 0.344 * blue - 0.714 * red, luma + 1.772 * blue]
    }
  }
}

/// Peak signal to noise in dB; infinite for equal pictures, 0 for pictures of different sizes.
func psnr(_ a: Raster, _ b: Raster) -> Double { noise(a.rgb, b.rgb) }

/// As `psnr`, of the luminance alone: a JPEG keeps one colour sample for four pixels.
func lumaPSNR(_ a: Raster, _ b: Raster) -> Double { noise(a.luma, b.luma) }

private func noise(_ a: [Double], _ b: [Double]) -> Double {
  guard a.count == b.count, !a.isEmpty else { return 0 }
  let error = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  return 10 * log10(255 * 255 * Double(a.count) / error)
}

extension Raster {
  fileprivate var luma: [Double] {
    let rgb = rgb
    return stride(from: 0, to: rgb.count, by: 3).map { index -> Double in
      let (red, green, blue) = (rgb[index], rgb[index + 1], rgb[index + 2])
      return 0.299 * red + 0.587 * green + 0.114 * blue
    }
  }
}

extension ImageDecoder {
  /// What a worker makes of an image: decoded, upright, its longest side `side` at most.
  /// - Throws: also the damage of an image of which a part could be decoded.
  func thumbnail(_ source: ImageSource, side: Int) throws(RenderError) -> Raster {
    let page = try decode(source, page: 0, side: side)
    if let damage = page.damage { throw damage }
    let size = PixelSize(width: page.info.width, height: page.info.height).fitting(side)
    return page.raster.scaled(to: size, page.orientation)
  }
}
