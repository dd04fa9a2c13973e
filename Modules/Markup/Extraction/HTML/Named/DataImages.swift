import JSON

/// The images that the value of an attribute names in JSON: `[{"url": "a.jpg", "width": 640}]`,
/// `{"a.jpg": [640, 480]}` or `["a.jpg", "b.jpg"]`, also with the quotation marks, or all of it, in
/// percent-encoding.
struct DataImages {
  struct Image: Equatable {
    let url: String
    let width: Int?
  }

  private static let limit = 500
  private static let lengthLimit = 200_000

  private(set) var images: [Image] = []

  /// - Returns: nil for a value without images in JSON.
  init?(_ text: String) {
    guard Self.mayBe(text),
      let value = try? JSONValue(parsing: Array(Self.decoded(text).utf8), .lenient)
    else { return nil }
    collect(value)
    if images.isEmpty { return nil }
  }

  private static func mayBe(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count >= 8, bytes.count <= lengthLimit,
      let first = bytes.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        || encodedBeginnings.contains(where: text.hasPrefix)
    else { return false }
    return bytes.contains(UInt8(ascii: "."))
  }

  /// The beginnings of arrays and objects in percent-encoding.
  private static let encodedBeginnings = ["%5B", "%5b", "%7B", "%7b"]

  /// Returns the value without its percent-encoding. Where only the quotation marks have one, that of the
  /// URLs in the value is left.
  private static func decoded(_ text: String) -> String {
    if text.utf8.contains(UInt8(ascii: "\"")) { return text }
    if text.hasPrefix("%") { return NestedImage.decoded(Array(text.utf8)[...]) }
    return text.replacing("%22", with: "\"")
  }

  private mutating func collect(_ value: JSONValue) {
    guard images.count < Self.limit else { return }
    switch value {
    case .string(let text): add(text, width: nil)
    case .array(let elements): for element in elements { collect(element) }
    case .object(let members):
      let width = Self.number(value["width"] ?? value["w"])
      for member in members {
        if let text = member.value.text {
          add(text, width: width)
        } else if Self.file(member.name) != nil {
          let width = Self.number(member.value.array?.first)
          add(member.name, width: width ?? Self.number(member.value))
        } else {
          collect(member.value)
        }
      }
    case .number, .bool, .null: break
    }
  }

  private mutating func add(_ text: String, width: Int?) {
    if let url = Self.file(text) { images.append(Image(url: url, width: width)) }
  }

  private static func file(_ text: String) -> String? {
    guard text.utf8.count >= 5, text.utf8.allSatisfy({ $0 > 0x20 }),
      let url = Reference.cleaned(text),
      URLShape(url).isImageFile
    else { return nil }
    return url
  }

  private static func number(_ value: JSONValue?) -> Int? {
    switch value {
    case .string(let text), .number(let text):
      Int(text).flatMap { (16...50_000).contains($0) ? $0 : nil }
    default: nil
    }
  }
}
