import Decoding
import Models
import Rendering

/// Decodes TGA. libvips supports it only through ImageMagick, which is unsuitable for untrusted files.
///
/// The format has neither a signature nor checksums. The detectable damage is checked: whether all pixels
/// announced by the header exist, whether the runs end with the image, and whether the image is followed by
/// the end of the file or by the footer of version 2.
struct TGADecoder {
  let info: DocumentInfo
  private let file: ByteView
  private let header: TGAHeader
  private let limits: RenderLimits

  init(_ source: ImageSource) throws(RenderError) {
    file = ByteView(source.bytes)
    limits = source.limits
    header = try TGAHeader(file, limits: source.limits)
    info = DocumentInfo(
      format: .tga, width: header.size.width, height: header.size.height,
      hasAlpha: header.hasAlpha)
  }

  func decode(side: Int) throws(RenderError) -> DecodedPage {
    let (width, height) = (header.size.width, header.size.height)
    let stride = width * header.pixelSize
    let body = file.slice(from: header.dataOffset)
    var damage: RenderError?
    let unpacked = header.isCompressed ? try unpack(body, count: stride * height) : nil
    let end = header.dataOffset + (unpacked?.consumed ?? stride * height)
    if let unpacked, unpacked.overruns {
      damage = .damaged(.tga, "a run of pixels extends beyond the image")
    } else if !endsWell(at: end) {
      damage = .damaged(.tga, "\(file.count - end) unexpected bytes follow the image")
    }
    let isShort =
      unpacked.map { $0.bytes.count < stride * height } ?? (body.count < stride * height)
    if isShort { damage = .truncated(.tga) }
    let storedRows = (unpacked?.bytes.count ?? min(body.count, stride * height)) / stride
    guard storedRows > 0 else { throw damage ?? .truncated(.tga) }

    // A file whose pixels all are transparent has no alpha: its writer has left the field empty.
    let hasAlpha =
      info.hasAlpha
      && (unpacked.map { $0.bytes.withUnsafeBytes { hasOpacity(ByteView($0)) } } ?? hasOpacity(body))
    var rows = RowReducer(width: width, height: height, side: side, isOpaque: !hasAlpha)
    var row = [UInt8](repeating: 255, count: width * 4)
    var strayIndexes = false
    for y in 0..<height {
      let stored = header.isTopDown ? y : height - 1 - y
      for x in 0..<width {
        let target = (header.isRightToLeft ? width - 1 - x : x) * 4
        var pixel = SIMD4<UInt8>(Raster.missing, Raster.missing, Raster.missing, 255)
        if stored < storedRows {
          let offset = stored * stride + x * header.pixelSize
          if let unpacked {
            pixel = unpacked.bytes.withUnsafeBytes { colour(ByteView($0), offset, &strayIndexes) }
          } else {
            pixel = colour(body, offset, &strayIndexes)
          }
        }
        for component in 0..<4 { row[target + component] = pixel[component] }
        if !hasAlpha { row[target + 3] = 255 }
      }
      row.withUnsafeMutableBufferPointer { rows.push($0) }
    }
    if strayIndexes, damage == nil {
      damage = .damaged(.tga, "a pixel has no color in the palette")
    }
    guard let raster = rows.finish() else { throw .damaged(.tga) }
    let shown = DocumentInfo(format: .tga, width: width, height: height, hasAlpha: hasAlpha)
    return DecodedPage(info: shown, raster: raster, damage: damage)
  }

  private func hasOpacity(_ pixels: ByteView) -> Bool {
    if let palette = header.palette { return palette.contains { $0[3] != 0 } }
    let count = min(pixels.count / header.pixelSize, header.size.width * header.size.height)
    return (0..<count).contains {
      pixels.byte(($0 + 1) * header.pixelSize - 1).map { $0 != 0 } ?? false
    }
  }

  private func colour(_ pixels: ByteView, _ offset: Int, _ isStray: inout Bool) -> SIMD4<UInt8> {
    let bytes = pixels.slice(offset, header.pixelSize)
    if header.isGrey {
      let grey = bytes.byte(0) ?? 0
      return SIMD4(grey, grey, grey, header.hasAlpha ? bytes.byte(1) ?? 255 : 255)
    }
    guard let palette = header.palette else {
      return TGAHeader.colour(bytes, bits: header.bitsPerPixel)
    }
    let number = bytes.number(at: 0, size: header.pixelSize, bigEndian: false) ?? 0
    let index = number - header.firstIndex
    guard palette.indices.contains(index) else {
      isStray = true
      return SIMD4(0, 0, 0, 255)
    }
    return palette[index]
  }
}

extension TGADecoder {
  private struct Unpacked {
    var bytes: [UInt8]
    /// The number of bytes of the file that the runs occupy.
    var consumed: Int
    /// Whether the last run has more pixels than the image.
    var overruns: Bool
  }

  /// Unpacks the runs (section C.1 of the specification): each has a byte with its kind and length, then one
  /// pixel or as many as the length states. The result is shorter if the file ends early.
  private func unpack(_ body: ByteView, count: Int) throws(RenderError) -> Unpacked {
    try limits.check(
      bytesPerPixel: Double(header.pixelSize), width: header.size.width,
      height: header.size.height)
    var bytes: [UInt8] = []
    // The size of the file bounds the allocation, because the file may lack most of its pixels.
    bytes.reserveCapacity(min(count, body.count * 64))
    var offset = 0
    while bytes.count < count {
      guard let head = body.byte(offset) else { break }
      let pixels = Int(head & 0x7f) + 1
      let isRun = head & 0x80 != 0
      let stored = body.slice(offset + 1, (isRun ? 1 : pixels) * header.pixelSize)
      let wanted = min(pixels * header.pixelSize, count - bytes.count)
      if isRun, stored.count == header.pixelSize {
        for index in 0..<wanted { bytes.append(stored.byte(index % header.pixelSize) ?? 0) }
      } else {
        bytes += stored.slice(0, wanted).array
      }
      offset += 1 + (isRun ? 1 : pixels) * header.pixelSize
      if offset > body.count { break }
      if wanted < pixels * header.pixelSize {
        return Unpacked(bytes: bytes, consumed: offset, overruns: true)
      }
    }
    return Unpacked(bytes: bytes, consumed: min(offset, body.count), overruns: false)
  }

  /// Whether the pixels are followed only by zeros, or by the areas of a file with a version 2 footer.
  private func endsWell(at end: Int) -> Bool {
    if file.starts(with: "TRUEVISION-XFILE.", at: file.count - 18) {
      let areas = [26, 22].compactMap {
        file.number(at: file.count - $0, size: 4, bigEndian: false)
      }
      return end <= file.count - 26 && areas.allSatisfy { $0 == 0 || $0 >= end && $0 < file.count }
    }
    var rest = end
    while let byte = file.byte(rest) {
      if byte != 0 { return false }
      rest += 1
    }
    return true
  }
}
