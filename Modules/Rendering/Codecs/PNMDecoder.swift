import Decoding
import Models
import Rendering

/// Decodes portable anymaps and float maps. The loader of libvips shows only images of 8 and 16 bits, and only those
/// that use the whole range, with the right values.
///
/// The range of real numbers is that of TIFF files: decision 0033.
struct PNMDecoder {
  let info: DocumentInfo
  private let file: ByteView
  private let header: PNMHeader

  init(_ source: ImageSource) throws(RenderError) {
    file = ByteView(source.bytes)
    header = try PNMHeader(file, limits: source.limits)
    info = DocumentInfo(format: .pnm, width: header.width, height: header.height)
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    var rows = RowReducer(
      width: header.width, height: header.height, side: side, isOpaque: true)
    let damage = header.isPlain ? pushPlainRows(to: &rows) : pushBinaryRows(to: &rows)
    guard rows.pushedRows > 0 else { throw damage ?? .truncated(.pnm) }
    guard let raster = damage == nil ? rows.finish() : rows.finishWithGrey() else {
      throw .damaged(.pnm)
    }
    return DecodedPage(info: info, raster: raster, damage: damage)
  }

  // MARK: - Binary samples

  private func pushBinaryRows(to rows: inout RowReducer) -> RenderError? {
    let data = file.slice(from: header.dataOffset)
    let storedCount = min(header.height, data.count / header.rowSize)
    var range = SampleRange()
    if case .reals(let isBigEndian) = header.samples {
      for index in 0..<(storedCount * header.width * header.componentCount) {
        range.extend(real(data, index, isBigEndian))
      }
      range = range.rounded(isReal: true)
    }
    var row = [UInt8](repeating: 255, count: header.width * 4)
    for y in 0..<header.height {
      var isStored = y < storedCount
      switch header.samples {
      case .bits:
        let bits = data.slice(y * header.rowSize, header.rowSize)
        fill(&row) { x, _ in bits.byte(x >> 3).map { $0 << UInt8(x & 7) < 0x80 } ?? true ? 255 : 0 }
      case .integers(let largest):
        let size = largest > 255 ? 2 : 1
        let values = data.slice(y * header.rowSize, header.rowSize)
        fill(&row) { x, component in
          let place = (x * header.componentCount + component) * size
          return Self.level(values.number(at: place, size: size) ?? 0, largest)
        }
      case .reals(let isBigEndian):
        // The lowest row comes first, so that the missing rows of a truncated file are at the top.
        let stored = header.height - 1 - y
        isStored = stored < storedCount
        let start = stored * header.width * header.componentCount
        fill(&row) { x, component in
          let index = start + x * header.componentCount + component
          return isStored ? range.level(real(data, index, isBigEndian)) : Raster.missing
        }
        if storedCount == 0 { return .truncated(.pnm) }
        isStored = true
      }
      guard isStored else { return .truncated(.pnm) }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    return storedCount < header.height ? .truncated(.pnm) : nil
  }

  private func real(_ data: ByteView, _ index: Int, _ isBigEndian: Bool) -> Double {
    let bits = data.number(at: index * 4, size: 4, bigEndian: isBigEndian) ?? 0
    return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  // MARK: - Plain samples

  private func pushPlainRows(to rows: inout RowReducer) -> RenderError? {
    var numbers = PNMNumbers(file, from: header.dataOffset)
    var row = [UInt8](repeating: 255, count: header.width * 4)
    for _ in 0..<header.height {
      var isComplete = true
      fill(&row) { _, _ in
        guard isComplete else { return 0 }
        switch header.samples {
        case .integers(let largest):
          if let value = numbers.next() { return Self.level(value, largest) }
        default:
          if let bit = numbers.nextBit() { return bit == 1 ? 0 : 255 }
        }
        isComplete = false
        return 0
      }
      guard isComplete else {
        return numbers.isAtEnd ? .truncated(.pnm) : .damaged(.pnm, "a sample is not a number")
      }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    return nil
  }

  /// Sets the colours of a row, from left to right and from red to blue; grey is all three.
  private func fill(_ row: inout [UInt8], _ level: (_ x: Int, _ component: Int) -> UInt8) {
    for x in 0..<header.width {
      let first = level(x, 0)
      row[x * 4] = first
      row[x * 4 + 1] = header.hasColour ? level(x, 1) : first
      row[x * 4 + 2] = header.hasColour ? level(x, 2) : first
      row[x * 4 + 3] = 255
    }
  }

  private static func level(_ value: Int, _ largest: Int) -> UInt8 {
    UInt8(clamping: (min(value, largest) * 255 + largest / 2) / largest)
  }
}
