import Models

/// A resource in an input file of aria2 (aria2c(1), "Input File"): its URLs with tabs between them, then an
/// indented line for each option.
///
/// No value contains a line break, because one would begin another option or another download.
struct Aria2Item {
  /// The URLs of the same content; the first one is that of the resource.
  private let urls: [String]
  private let options: [(key: String, value: String)]

  init(_ resource: Resource, in record: Record) {
    // A tab within a URL would begin another one.
    urls =
      [resource.url]
      + resource.mirrors.filter { Self.isLine($0) && !$0.utf8.contains(UInt8(ascii: " ")) }
    var options: [(key: String, value: String)] = []
    if let name = Self.label(of: resource) {
      options.append(("out", name))
    }
    options.append(("dir", record.folder))
    for field in resource.fields.fields where field.value.isFieldValue {
      options.append(("header", "\(field.name): \(field.value)"))
    }
    if let checksum = resource.expectedChecksum ?? resource.file.map({ Checksum($0.digest) }) {
      options.append(("checksum", checksum.description))
    }
    self.options = options
  }

  /// The lines of the item. A resource that no URL can deliver again is a comment, and so is an image of an
  /// image service, whose URL aria2 would request without the path to the image.
  var text: String {
    if ResourceLocation.namesImageService(urls[0]) {
      return "# no URL of a file, but an image service (IIIF): \(TextEscaping.visible(urls[0]))\n"
    }
    guard urls[0].hasPrefix("http://") || urls[0].hasPrefix("https://") else {
      return "# no URL: \(TextEscaping.visible(urls[0]))\n"
    }
    let lines =
      [urls.joined(separator: "\t")]
      + options.filter { $0.key == "header" || Self.isLine($0.value) }.map {
        " \($0.key)=\($0.value)"
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether aria2 reads the text as the value of one option.
  private static func isLine(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// Returns the name that the resource's file has after its number, by which it gets the same name when the list is
  /// added to another library; nil if its URL alone decides.
  private static func label(of resource: Resource) -> String? {
    guard let file = resource.file?.name.split(separator: "/").last else {
      return resource.title.flatMap(fileName)
    }
    let number = file.prefix { $0.isASCII && $0.isNumber }
    guard Int(number) == resource.index else { return String(file) }
    let rest = file.dropFirst(number.count)
    return rest.hasPrefix("-") ? fileName(String(rest.dropFirst())) : nil
  }

  /// The largest length of a file's name in bytes (NAME_MAX). It is longer than any name that a library gives, so that
  /// a title which is cut here yields the same name there.
  private static let maximumLength = 255

  /// Returns a title as the name of a file in the record's folder; nil if it cannot be one.
  private static func fileName(_ title: String) -> String? {
    var name = ""
    for character in title {
      let scalars = character.unicodeScalars.map { $0 == "/" || $0 == "\\" ? "_" : $0 }
      let text = TextEscaping.visible(String(String.UnicodeScalarView(scalars)))
      guard name.utf8.count + text.utf8.count <= maximumLength else { break }
      name += text
    }
    return name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0 == 0x20 } ? nil : name
  }
}
