import CTIFF
import Decoding
import Rendering

/// The samples of a band of rows: one strip or one row of tiles, or one of each component if `isPlanar`.
final class TIFFSamples {
  private let tiff: imgdl_tiff
  private let file: OpaquePointer
  private let layout: TIFFLayout
  /// The size of a strip or a tile in bytes.
  private let chunkSize: Int
  /// The size of a row of a strip or a tile in bytes.
  private let rowSize: Int
  private let across: Int
  private let planes: Int
  private var chunks: [[UInt8]] = []
  /// The signed or real number that marks places without a measurement.
  private let missing: Double?

  /// - Parameter missing: The signed or real number that marks places without a measurement; they are treated as no
  ///   number.
  /// - Returns: nil if the strip or tile size that libtiff reports is too small for the layout.
  init?(_ tiff: imgdl_tiff, _ file: OpaquePointer, _ layout: TIFFLayout, missing: Double?) {
    self.missing = missing
    self.tiff = tiff
    self.file = file
    self.layout = layout
    chunkSize = Int(layout.isTiled ? tiff.TIFFTileSize(file) : tiff.TIFFStripSize(file))
    planes = layout.isPlanar ? layout.samples : 1
    across = (layout.width + layout.bandWidth - 1) / layout.bandWidth
    let samples = layout.isPlanar ? 1 : layout.samples
    let (count, isTooMany) = layout.bandWidth.multipliedReportingOverflow(by: samples)
    let (bits, isTooLong) = count.multipliedReportingOverflow(by: layout.bits)
    guard !isTooMany, !isTooLong else { return nil }
    rowSize = (bits + 7) / 8
    let (needed, isTooLarge) = rowSize.multipliedReportingOverflow(by: layout.bandHeight)
    guard !isTooLarge, chunkSize >= needed else { return nil }
  }

  /// Checks the memory limit before the buffers of a band are allocated.
  func check(_ limits: RenderLimits) throws(RenderError) {
    let pixels = Double(layout.bandWidth * layout.bandHeight)
    try limits.check(
      bytesPerPixel: Double(chunkSize) * Double(planes) / pixels,
      width: layout.bandWidth * across, height: layout.bandHeight)
  }

  /// Decodes the band that begins with row `y`. Returns false if a part of the band cannot be decoded.
  func read(bandAt y: Int) -> Bool {
    let down = (layout.height + layout.bandHeight - 1) / layout.bandHeight
    if chunks.isEmpty {
      chunks = Array(
        repeating: [UInt8](repeating: 0, count: chunkSize), count: planes * across)
    }
    for plane in 0..<planes {
      for column in 0..<across {
        let number = (plane * down + y / layout.bandHeight) * across + column
        let place = plane * across + column
        // The last strip may have fewer rows.
        let rows = min(layout.bandHeight, layout.height - y)
        let wanted = layout.isTiled ? chunkSize : rows * rowSize
        let count = chunks[place].withUnsafeMutableBytes { buffer in
          layout.isTiled
            ? tiff.TIFFReadEncodedTile(
              file, UInt32(clamping: number), buffer.baseAddress, tmsize_t(buffer.count))
            : tiff.TIFFReadEncodedStrip(
              file, UInt32(clamping: number), buffer.baseAddress, tmsize_t(wanted))
        }
        guard count >= wanted else { return false }
      }
    }
    return true
  }

  /// Converts one row of pixels of the strip, or row of tiles, that was read last.
  /// - Parameters:
  ///   - line: The index of the row, from the top of the strip or row of tiles.
  ///   - row: Receives red, green, blue and alpha of eight bits, not premultiplied.
  ///   - range: The values that become 0 and 255, of signed and real samples.
  func convert(line: Int, into row: inout [UInt8], _ range: SampleRange) {
    for x in 0..<layout.width {
      var pixel = SIMD4<UInt8>(repeating: 255)
      if layout.hasAlpha { pixel[3] = level(x, line, layout.colours, Self.alphaRange(layout)) }
      if layout.isLab {
        let colour = labColour(x, line)
        for component in 0..<3 { pixel[component] = colour[component] }
      } else {
        for component in 0..<3 {
          let value = level(x, line, layout.isRGB ? component : 0, range)
          pixel[component] = layout.isInverted ? 255 - value : value
        }
      }
      if layout.isPremultiplied, pixel[3] != 0, pixel[3] != 255 {
        let alpha = Int(pixel[3])
        for component in 0..<3 {
          pixel[component] = UInt8(clamping: (Int(pixel[component]) * 255 + alpha / 2) / alpha)
        }
      }
      for component in 0..<4 { row[x * 4 + component] = pixel[component] }
    }
  }

  /// The range of alpha: real numbers up to 1, signed ones up to the largest.
  private static func alphaRange(_ layout: TIFFLayout) -> SampleRange {
    layout.kind == .real
      ? SampleRange(lowest: 0, highest: 1)
      : SampleRange(
        lowest: 0,
        highest: Double(sign: .plus, exponent: max(1, layout.bits - 1), significand: 1) - 1)
  }

  /// Extends the range to the colours of a row of the strip, or row of tiles, that was read last.
  func extend(_ range: inout SampleRange, line: Int) {
    for x in 0..<layout.width {
      for component in 0..<layout.colours { range.extend(number(x, line, component)) }
    }
  }

  /// Returns a sample as eight bits.
  private func level(_ x: Int, _ line: Int, _ component: Int, _ range: SampleRange) -> UInt8 {
    guard layout.kind == .unsigned else { return range.level(number(x, line, component)) }
    let (chunk, index) = place(x, component)
    return unsigned(chunks[chunk], row: line * rowSize, index: index)
  }

  /// Returns the chunk that contains a sample, and the index of the sample in its row.
  private func place(_ x: Int, _ component: Int) -> (chunk: Int, index: Int) {
    let (column, inside) = (x / layout.bandWidth, x % layout.bandWidth)
    return layout.isPlanar
      ? (component * across + column, inside) : (column, inside * layout.samples + component)
  }

  /// Returns a signed or real sample; NaN for one that marks a place without a measurement.
  private func number(_ x: Int, _ line: Int, _ component: Int) -> Double {
    let value = stored(x, line, component)
    guard let missing else { return value }
    // The text of the number has more digits than a sample of 32 bits.
    let isMissing = value == missing || layout.bits <= 32 && Float(value) == Float(missing)
    return isMissing ? .nan : value
  }

  /// Returns a signed or real sample. libtiff has converted it to the machine's byte order, little endian.
  private func stored(_ x: Int, _ line: Int, _ component: Int) -> Double {
    let (chunk, index) = place(x, component)
    let size = layout.bits / 8
    let start = line * rowSize + index * size
    var word: UInt64 = 0
    for byte in 0..<size { word |= UInt64(chunks[chunk][start + byte]) << UInt64(8 * byte) }
    if layout.kind == .real {
      switch size {
      case 2: return Self.half(UInt16(truncatingIfNeeded: word))
      case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      default: return Double(bitPattern: word)
      }
    }
    guard layout.kind == .signed else { return Double(word) }
    let unused = UInt64(64 - layout.bits)
    return Double(Int64(bitPattern: word << unused) >> Int64(unused))
  }

  /// Returns the value of a real number of 16 bits (IEEE 754, binary16).
  private static func half(_ word: UInt16) -> Double {
    let fraction = Double(word & 0x3ff)
    let sign: Double = word & 0x8000 == 0 ? 1 : -1
    switch Int(word >> 10 & 31) {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    case let exponent:
      return sign * (1 + fraction / 1_024)
        * Double(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }

  /// Returns red, green and blue of a pixel in L*a*b* (TIFF 6.0, section 23).
  private func labColour(_ x: Int, _ line: Int) -> [UInt8] {
    let largest: Double = layout.bits == 8 ? 255 : 65_535
    let unit: Double = layout.bits == 8 ? 1 : 256
    func chroma(_ component: Int) -> Double {
      let value = raw(x, line, component)
      guard layout.hasSignedChroma else { return value / unit - 128 }
      return (value >= (largest + 1) / 2 ? value - largest - 1 : value) / unit
    }
    return LabColour.sRGB(raw(x, line, 0) / largest * 100, chroma(1), chroma(2))
  }

  /// Returns the bits of a sample of one or two bytes as an unsigned number.
  private func raw(_ x: Int, _ line: Int, _ component: Int) -> Double {
    let (chunk, index) = place(x, component)
    let start = line * rowSize + index * layout.bits / 8
    let low = Int(chunks[chunk][start])
    return Double(layout.bits == 8 ? low : low | Int(chunks[chunk][start + 1]) << 8)
  }

  /// Returns an unsigned sample as eight bits. libtiff has converted samples of whole bytes to the machine's byte
  /// order; samples of other depths are packed from the most significant bit, and each row begins at a byte
  /// boundary.
  private func unsigned(_ chunk: [UInt8], row: Int, index: Int) -> UInt8 {
    let bits = layout.bits
    if bits % 8 == 0 {
      // The samples are little endian, so the last byte is the most significant one.
      return chunk[row + index * bits / 8 + bits / 8 - 1]
    }
    let (first, last) = (index * bits / 8, (index * bits + bits - 1) / 8)
    var number = 0
    // A sample spans at most five bytes.
    for byte in first...last { number = number << 8 | Int(chunk[row + byte]) }
    number = number >> ((last + 1) * 8 - (index + 1) * bits) & (1 << bits - 1)
    let largest = 1 << bits - 1
    return UInt8(truncatingIfNeeded: (number * 255 + largest / 2) / largest)
  }
}
