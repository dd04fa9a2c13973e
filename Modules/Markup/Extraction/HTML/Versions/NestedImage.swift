/// The reference to another image in a URL, of which a program makes the image: `?url=%2Fa.jpg&w=640`,
/// `/unsafe/300x200/https://h/a.jpg`.
struct NestedImage {
  /// The reference, percent-decoded.
  let reference: String
  /// The folders of the program and its options; empty if the reference is in the query.
  let folders: ArraySlice<URLShape.Bytes>
  /// The name of the parameter with the reference; nil if it is in the path.
  let parameter: String?

  init?(_ shape: URLShape) {
    if let index = shape.segments.firstIndex(where: Self.beginsURL) {
      let rest = shape.segments[index...].joined(separator: [UInt8(ascii: "/")])
      var text = Self.decoded(Array(rest)[...])
      // The path was divided at the two slashes after the scheme.
      if !text.contains("://"), let colon = text.firstIndex(of: ":") {
        text = text[..<colon] + ":/" + text[text.index(after: colon)...]
      }
      (reference, folders, parameter) = (text, shape.segments[..<index], nil)
      return
    }
    guard !shape.isImageFile else { return nil }
    for (name, value) in shape.parameters where value.count <= 4_000 && value.count >= 5 {
      let text = Self.decoded(value)
      guard text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://"),
        URLShape(text).isImageFile
      else { continue }
      (reference, folders, parameter) = (text, [], name)
      return
    }
    return nil
  }

  /// Whether a segment of a path is the scheme of a URL, or begins with one in percent-encoding.
  private static func beginsURL(_ segment: URLShape.Bytes) -> Bool {
    guard segment.count >= 5, segment.starts(with: "http".utf8) else { return false }
    let rest = segment.dropFirst(segment.dropFirst(4).first == UInt8(ascii: "s") ? 5 : 4)
    return rest.elementsEqual(":".utf8)
      || rest.prefix(3).lazy.map(ASCII.lowercased).elementsEqual("%3a".utf8)
  }

  /// Returns a text with the characters of its percent-encoding. Bytes that are not UTF-8 are replaced.
  static func decoded(_ text: URLShape.Bytes) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
        let byte = UInt8(
          String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
