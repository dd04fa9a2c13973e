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

  /// Returns the file with other names in place of the given one, so that readers ignore its values; nil if the file does
  /// not contain it outside of compressed streams.
  func hiding(_ name: StaticString) -> [UInt8]? {
    let places = places(of: name)
    guard !places.isEmpty else { return nil }
    var bytes = file.array
    for place in places { bytes[place - 1] = UInt8(ascii: "_") }
    return bytes
  }

  private static let maximumPlaces = 100_000

  /// Returns the offsets of the bytes after a name.
  func places(of name: StaticString) -> [Int] {
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
}
