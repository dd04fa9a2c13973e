/// A request for an image by the IIIF Image API (2.1 and 3.0, section 4): `{id}/{region}/{size}/{rotation}/{quality}.{format}`.
struct IIIFRequest {
  /// The segments of the path before the region.
  let identifier: ArraySlice<URLShape.Bytes>
  private(set) var size = VersionSize()
  private(set) var percentage: Double?
  /// Whether the request is for a part of the image.
  let isRegion: Bool

  init?(_ shape: URLShape) {
    let segments = shape.segments[...]
    guard segments.count >= 5,
      ["default", "native", "color", "gray", "bitonal"].contains(
        String(decoding: shape.stem, as: UTF8.self)), !shape.fileExtension.isEmpty
    else { return nil }
    let parts = segments.suffix(4).map { $0 }
    let (region, requested, rotation) = (parts[0], parts[1], parts[2])
    guard rotation.drop(while: { $0 == UInt8(ascii: "!") }).allSatisfy(Self.isOfNumber) else {
      return nil
    }
    let text = String(decoding: requested, as: UTF8.self)
    if text.hasPrefix("pct:") {
      guard let number = Double(text.dropFirst(4)), number > 0, number <= 100 else { return nil }
      percentage = number
    } else if !["full", "max", "^max"].contains(text) {
      let sides = requested.drop { $0 == UInt8(ascii: "^") || $0 == UInt8(ascii: "!") }
      guard sides.contains(UInt8(ascii: ",")),
        sides.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ",") })
      else { return nil }
      let numbers = sides.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      if let width = numbers.first.flatMap(VersionSize.number) { size.record(width) }
      if numbers.count == 2, let height = VersionSize.number(numbers[1]) {
        size.record(height, isHeight: true)
      }
    }
    isRegion = !region.elementsEqual("full".utf8)
    identifier = segments.dropLast(4)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || byte == UInt8(ascii: ".")
  }
}
