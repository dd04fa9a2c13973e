/// The reading order of the images of an EPUB: that of its documents (the spine of its package document), and within a
/// document that of its tags (EPUB 3.3, sections 4.2 and 5.7).
///
/// The texts of the book are collected while its entries are walked, up to limits, and are parsed afterwards.
package struct BookSpine {
  /// The maximum size of a text in bytes. A page with one image has less than 1 kB, a chapter some 100 kB.
  package static let maximumTextBytes = 1 << 20
  /// The maximum size of all texts in bytes. Images that only further texts name come last.
  private static let maximumBytes = 32 << 20

  /// Whether the media type of the archive is that of EPUB; nil without the entry that states it.
  private var hasType: Bool?
  private var texts: [String: [UInt8]] = [:]
  private var byteCount = 0

  package init() {}

  /// Whether the text of an entry may be needed. The first entry of an EPUB is its media type (OCF, section 4.3), but books
  /// that were packed again by other programs have it elsewhere or lack it; their container names the package.
  package func wants(_ name: String) -> Bool {
    if name == Self.typeName || name == Self.containerName { return true }
    guard hasType ?? true, byteCount < Self.maximumBytes else { return false }
    let lower = name.lowercased()
    return [".opf", ".xhtml", ".html", ".htm", ".xml", ".svg"].contains { lower.hasSuffix($0) }
  }

  /// Adds the text of an entry.
  package mutating func add(_ text: [UInt8], of name: String) {
    if name == Self.typeName {
      hasType = text.starts(with: "application/epub+zip".utf8)
      return
    }
    let text = Self.utf8(text)
    if texts[name] == nil, byteCount + text.count <= Self.maximumBytes {
      texts[name] = text
      byteCount += text.count
    }
  }

  private var isBook: Bool { hasType ?? (containedPackage != nil) }

  private static let typeName = "mimetype"
  private static let containerName = "META-INF/container.xml"

  /// Returns the images in reading order, those that no document names last, in natural order; nil if the archive is not
  /// a book, or if its spine cannot be read.
  package func ordered<Element>(_ images: [Element], by label: (Element) -> String) -> [Element]? {
    guard isBook, let places = places() else { return nil }
    let natural = EntryOrder.natural(images, by: label)
    return natural.enumerated()
      .map { image in
        let name = label(image.element)
        // Some programs store the percent signs of a URL in the name.
        let place = places[name] ?? places[Self.decoded(name[...])] ?? .max
        return (place: place, offset: image.offset, element: image.element)
      }
      .sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }
      .map(\.element)
  }

  /// Returns the place of each entry that the documents of the spine name.
  private func places() -> [String: Int]? {
    guard let package = packageName, let text = texts[package] else { return nil }
    var items: [String: String] = [:]
    var order: [String] = []
    var covers: [String] = []
    var coverID: String?
    for tag in BookTags(text) {
      switch tag.name {
      case "item":
        guard let id = tag.attributes["id"], let link = tag.attributes["href"] else { continue }
        let name = Self.entry(of: link, from: package)
        if items[id] == nil { items[id] = name }
        let properties = tag.attributes["properties"]?.split(separator: " ") ?? []
        if properties.contains("cover-image") { covers.append(name) }
      case "itemref": if let id = tag.attributes["idref"] { order.append(id) }
      // The cover of EPUB 2.
      case "meta" where tag.attributes["name"] == "cover": coverID = tag.attributes["content"]
      default: break
      }
    }
    guard !order.isEmpty else { return nil }
    var places: [String: Int] = [:]
    for id in order {
      guard let name = items[id] else { continue }
      if places[name] == nil { places[name] = places.count }
      for image in Self.images(in: document(name), of: name) where places[image] == nil {
        places[image] = places.count
      }
    }
    // A cover that no document shows is before them.
    if let cover = coverID.flatMap({ items[$0] }) { covers.append(cover) }
    for cover in covers where places[cover] == nil { places[cover] = -1 }
    return places
  }

  /// Returns the text of a document, whose name may have the percent signs of its URL.
  private func document(_ name: String) -> [UInt8] {
    texts[name] ?? texts.first { Self.decoded($0.key[...]) == name }?.value ?? []
  }

  /// The name of the package document, which the container names.
  private var packageName: String? {
    containedPackage ?? texts.keys.filter { $0.lowercased().hasSuffix(".opf") }.min()
  }

  private var containedPackage: String? {
    let paths = BookTags(texts[Self.containerName] ?? []).filter { $0.name == "rootfile" }
      .compactMap { $0.attributes["full-path"] }
    return paths.first { texts[$0] != nil } ?? paths.first
  }

  /// The names of the entries that are encrypted by the shop or the library of the book (OCF, section 4.2.6.3.2), fonts
  /// that are only disguised left out.
  package var encryptedNames: Set<String> {
    guard isBook, let text = texts[Self.encryptionName] else { return [] }
    var names: Set<String> = []
    var isDisguise = false
    for tag in BookTags(text) {
      if tag.name == "encryptionmethod" {
        let method = tag.attributes["algorithm"] ?? ""
        isDisguise = Self.disguises.contains { method.contains($0) }
      } else if tag.name == "cipherreference", !isDisguise, let link = tag.attributes["uri"] {
        names.insert(Self.entry(of: link, from: ""))
      }
    }
    return names
  }

  /// The parts of the names of methods that only change the first bytes of fonts.
  private static let disguises = ["idpf.org/2008/embedding", "ns.adobe.com/pdf/enc#RC"]
  private static let encryptionName = "META-INF/encryption.xml"

  /// Returns a text that begins with the byte order mark of UTF-16 in UTF-8.
  private static func utf8(_ text: [UInt8]) -> [UInt8] {
    guard text.starts(with: [0xff, 0xfe]) || text.starts(with: [0xfe, 0xff]) else { return text }
    let low = text[0] == 0xff ? 0 : 1
    let units = stride(from: 2, to: text.count - 1, by: 2).map {
      UInt16(text[$0 + low]) | UInt16(text[$0 + 1 - low]) << 8
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func images(in text: [UInt8], of name: String) -> [String] {
    BookTags(text).compactMap { tag in
      switch tag.name {
      case "img", "input": tag.attributes["src"]
      case "image": tag.attributes["href"]
      case "object": tag.attributes["data"]
      default: tag.attributes["style"].flatMap(background)
      }
    }.map { entry(of: $0, from: name) }
  }

  /// Returns the URL of the background that a style states.
  private static func background(_ style: String) -> String? {
    guard let property = style.firstRange(of: "background"),
      let mark = style[property.upperBound...].firstRange(of: "url(")
    else { return nil }
    return style[mark.upperBound...].prefix { $0 != ")" }
      .filter { $0 != "\"" && $0 != "'" && !$0.isWhitespace }
  }

  /// Returns the name of the entry to which a relative URL leads from a document.
  private static func entry(of link: String, from document: String) -> String {
    let path = link.prefix { $0 != "#" && $0 != "?" }
    var parts = document.split(separator: "/").dropLast().map(String.init)
    if path.hasPrefix("/") { parts = [] }
    // Programs for Windows write `\`, which no URL contains otherwise.
    for part in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(decoded(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// Decodes the percent signs of a component.
  private static func decoded(_ text: Substring) -> String {
    guard text.contains("%") else { return String(text) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue,
        let low = Character(UnicodeScalar(bytes[index + 2])).hexDigitValue
      {
        result.append(UInt8(high * 16 + low))
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
