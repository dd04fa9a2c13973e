import Decoding

/// Finds properties of a PDF in its bytes, without parsing its structure. This is possible because the dictionaries of
/// streams and of the encryption are never in a compressed stream (ISO 32000-1, 7.5.7).
struct PDFText {
  private let file: ByteView

  init(_ file: ByteView) { self.file = file }

  /// Whether the file is encrypted with keys for the owners of certificates (section 7.6.4).
  var needsCertificate: Bool {
    !places(of: "/Adobe.PubSec").isEmpty || !places(of: "/adbe.pkcs7").isEmpty
  }

  /// The largest width or height that a dictionary states; nil if there is none. It may be that of an image that no page
  /// draws.
  var longestImageSide: Int? {
    (places(of: "/Width") + places(of: "/Height")).compactMap(number).max()
  }

  private static let maximumPlaces = 100_000

  /// Returns the offsets of the bytes after a name.
  private func places(of name: StaticString) -> [Int] {
    var found: [Int] = []
    var offset = 0
    while found.count < Self.maximumPlaces,
      let place = file.firstIndex(of: UInt8(ascii: "/"), from: offset)
    {
      if file.starts(with: name, at: place) { found.append(place + name.utf8CodeUnitCount) }
      offset = place + 1
    }
    return found
  }

  /// Returns the decimal number after white space; nil for anything else.
  private func number(at start: Int) -> Int? {
    var offset = start
    while let byte = file.byte(offset), byte <= 0x20 { offset += 1 }
    var value: Int?
    while let byte = file.byte(offset), (0x30...0x39).contains(byte), offset < start + 32 {
      value = min((value ?? 0) * 10 + Int(byte - 0x30), 1 << 40)
      offset += 1
    }
    return value
  }
}
