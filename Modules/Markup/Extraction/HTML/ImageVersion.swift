/// Recognizes in URLs which version of an image they name: `photo-300x200.jpg`, `/w640/photo.jpg`,
/// `photo.jpg?width=640`, `/full/843,/0/default.jpg` (IIIF Image API 2.1).
struct ImageVersion {
  private typealias Bytes = URLShape.Bytes

  /// The largest number that looks like a width in pixels, or else like a height; nil if there is none.
  var pixels: Int? { width ?? height }

  /// Whether a word such as `thumb` or `sample` says that the version is smaller than the original.
  private(set) var isReduced = false
  /// The size in percent of the original (IIIF Image API 2.1, section 4.2, `pct:n`); nil if the URL has
  /// none.
  private(set) var percentage: Double?
  private var width: Int?
  private var height: Int?
  /// The URL without the parts that name a version. Two URLs with the same key show the same image.
  var key: String { String(decoding: keyBytes, as: UTF8.self) }

  private var keyBytes: [UInt8] = []

  init(_ url: String) { self.init(URLShape(url)) }

  init(_ shape: URLShape) {
    keyBytes.reserveCapacity(128)
    keyBytes += shape.host
    let hostEnd = keyBytes.count
    var namesStyle = false
    for folder in shape.folders {
      // The folder after `styles` names a version (Drupal).
      if namesStyle {
        recordPixels(in: folder)
        namesStyle = false
      } else {
        if let number = Self.percentage(folder) {
          percentage = number
          continue
        }
        namesStyle = folder.elementsEqual("styles".utf8)
        appendRest(of: folder, isFile: false)
      }
    }
    let start = keyBytes.count
    if let number = Self.identifier(shape.stem) {
      keyBytes += number
    } else {
      appendRest(of: shape.stem, isFile: true)
    }
    // A file whose name is only a version is identified by its folder, if there is one.
    if keyBytes.count == start, start == hostEnd { keyBytes += shape.stem }
    if !shape.query.isEmpty { addQuery(of: shape) }
  }

  /// Returns the number of a size such as `pct:12.5`; nil for another folder.
  private static func percentage(_ folder: Bytes) -> Double? {
    guard folder.starts(with: "pct:".utf8), folder.count <= 16 else { return nil }
    guard let number = Double(String(decoding: folder.dropFirst(4), as: UTF8.self)),
      number > 0, number <= 100
    else { return nil }
    return number
  }

  private mutating func addQuery(of shape: URLShape) {
    var kept: [String] = []
    for (name, value) in shape.parameters {
      // A parameter without a value tells the server who asks.
      if value.isEmpty, shape.isImageFile { continue }
      if let size = Self.pair(value), !Self.versionParameters.contains(name) {
        if let width = size.width { recordPixels(width) }
        if let height = size.height { recordPixels(height, isHeight: true) }
      } else if Self.sizeParameters.contains(name) {
        recordPixels(in: value)
        if let number = Int(String(decoding: value, as: UTF8.self)) {
          recordPixels(number, isHeight: Self.heightParameters.contains(name))
        }
      } else if !Self.versionParameters.contains(name) || !shape.isImageFile && name != "q" {
        kept.append(name + "=" + String(decoding: value, as: UTF8.self))
      }
    }
    applyDensity(of: shape)
    // Of a program, one of the parameters names the image.
    if kept.isEmpty, !shape.isImageFile {
      kept = [String(decoding: shape.query, as: UTF8.self)]
    }
    for parameter in kept.sorted() { keyBytes += Array("?\(parameter)".utf8) }
  }

  /// Returns the sides of a size such as `600:*`, `*:400` or `300x200`; nil for another value.
  private static func pair(_ value: Bytes) -> (width: Int?, height: Int?)? {
    guard (4...11).contains(value.count),
      let mark = value.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 | 0x20 == 0x78 })
    else { return nil }
    let (width, height) = (value[..<mark], value[(mark + 1)...])
    let isAny = (width.elementsEqual("*".utf8), height.elementsEqual("*".utf8))
    let sides = (number(width), number(height))
    guard sides.0 != nil || isAny.0, sides.1 != nil || isAny.1, sides.0 != nil || sides.1 != nil
    else { return nil }
    return sides
  }

  /// Multiplies the size by the number of pixels of the screen for each of the page (`dpr=2`).
  private mutating func applyDensity(of shape: URLShape) {
    guard pixels != nil, let value = shape.parameters.first(where: { $0.name == "dpr" })?.value,
      let density = Double(String(decoding: value.prefix(8), as: UTF8.self)),
      density > 1, density <= 8
    else { return }
    width = width.map { min(Int(Double($0) * density), Self.pixelLimit) }
    height = height.map { min(Int(Double($0) * density), Self.pixelLimit) }
  }

  /// Whether a parameter of a query only tells the version of an image.
  static func isOfVersion(parameter name: String) -> Bool {
    sizeParameters.contains(name) || versionParameters.contains(name)
      || reducedWords.contains(name)
  }

  private static let sizeParameters: Set<String> = [
    "w", "width", "h", "height", "imwidth", "imheight", "wid", "hei", "size", "sz", "resize", "fit",
    "maxwidth", "maxheight", "max-w", "max-h", "mw", "mh", "rect", "format", "thumbnail",
  ]
  private static let heightParameters: Set<String> = [
    "h", "height", "imheight", "hei", "maxheight", "max-h", "mh",
  ]
  private static let versionParameters: Set<String> = [
    "q", "quality", "v", "ver", "version", "auto", "fm", "fmt", "crop", "dpr", "s", "sig",
    "signature",
    "itok", "token", "ssl", "strip", "t", "ts", "thumb", "mode", "cb", "ixlib", "ixid", "usm", "fl",
    "op",
    "stp", "name", "c", "p", "k",
  ]

  /// Words in the name of a folder or file that name a version.
  private static let versionWords: Set<String> = [
    "scaled", "thumb", "thumbs", "thumbnail", "thumbnails", "small", "medium", "large", "original",
    "originals", "full", "orig", "crop", "cropped", "preview", "previews", "square", "resize",
    "resized",
    "fit", "fill", "max", "xxlarge", "xlarge", "xsmall", "th", "tn", "sm", "md", "lg", "xl", "xs",
    "xx", "big", "hires", "lowres",
    "jpg",
    "jpeg", "png", "webp", "avif", "format", "4k", "hd", "fullxfull",
  ]

  /// Words for versions that are smaller than the original.
  private static let reducedWords: Set<String> = [
    "thumb", "thumbs", "thumbnail", "thumbnails", "small", "preview", "previews", "th", "tn", "sm",
    "xs", "square", "lowres", "sample", "samples", "tiny", "mini",
  ]

  /// Further such words in the names of folders.
  private static let folderWords: Set<String> = ["size", "sizes", "resizes", "renditions"]

  /// Words in the name of a folder that are followed by a size.
  private static let dimensionWords: Set<String> = [
    "w", "h", "width", "height", "fit", "fill", "size",
  ]

  /// Returns the number at the beginning of a name such as `65535001_0a1b2c3d4e_b`: the number of a photo,
  /// after which come a secret and the size, which differ between versions.
  private static func identifier(_ stem: Bytes) -> Bytes? {
    guard let first = stem.firstIndex(of: UInt8(ascii: "_")), first - stem.startIndex >= 9,
      stem[..<first].allSatisfy(ASCII.isDigit)
    else { return nil }
    let rest = stem[(first + 1)...]
    let end = rest.firstIndex(of: UInt8(ascii: "_")) ?? rest.endIndex
    guard end - rest.startIndex >= 8, rest.endIndex - end <= 3,
      rest[..<end].allSatisfy({ ASCII.isDigit($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return stem[..<first]
  }

  /// Appends to the key what remains of a folder or file name without the words that name a version.
  private mutating func appendRest(of text: Bytes, isFile: Bool) {
    let start = keyBytes.count
    keyBytes.append(UInt8(ascii: "/"))
    var dimension: String?
    var hasOnlyNumbers = true
    var numbers: [Int] = []
    var index = text.startIndex
    while let word = Self.nextWord(in: text, &index) {
      let lower = String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self)
      let number = word.count <= 6 ? Int(lower) : nil
      if Self.reducedWords.contains(lower) { isReduced = true }
      defer { dimension = !isFile && Self.dimensionWords.contains(lower) ? lower : nil }
      if Self.versionWords.contains(lower) || !isFile && Self.folderWords.contains(lower) {
        continue
      }
      if let pixels = Self.pixels(word, isFile: isFile) {
        recordPixels(pixels, isHeight: lower.utf8.first == UInt8(ascii: "h"))
      } else if let dimension, let number {
        recordPixels(number, isHeight: dimension.hasPrefix("h"))
      } else if !isFile, Self.dimensionWords.contains(lower), Self.beginsWithDigit(text, index) {
        continue
      } else {
        if let number { numbers.append(number) } else { hasOnlyNumbers = false }
        if keyBytes.count > start + 1 { keyBytes.append(UInt8(ascii: "-")) }
        keyBytes += word
      }
    }
    // The size of the IIIF Image API: `843,`, `,600` or `!800,600`.
    if !isFile, hasOnlyNumbers, text.contains(UInt8(ascii: ",")) {
      for number in numbers { recordPixels(number) }
      keyBytes.removeLast(keyBytes.count - start)
    }
    if keyBytes.count == start + 1 { keyBytes.removeLast() }
  }

  private static func nextWord(in text: Bytes, _ index: inout Int) -> Bytes? {
    while index < text.endIndex, !isWordByte(text[index]) { index += 1 }
    let start = index
    while index < text.endIndex, isWordByte(text[index]) { index += 1 }
    return index > start ? text[start..<index] : nil
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte >= 0x80
  }

  /// Whether the next word after an index begins with a digit.
  private static func beginsWithDigit(_ text: Bytes, _ index: Int) -> Bool {
    text[index...].first(where: isWordByte).map(ASCII.isDigit) ?? false
  }

  /// Returns the width of a word such as `300x200`, `540x`, `220px`, `640w`, and, in the name of a folder,
  /// `w640`, `h480` and `s1600`; nil for other words. Numbers that are too small for a size are not such.
  private static func pixels(_ word: Bytes, isFile: Bool) -> Int? {
    guard word.count >= 3, word.count <= 11 else { return nil }
    let digits = word.prefix(while: ASCII.isDigit)
    let rest = word[digits.endIndex...]
    if let number = number(digits), let unit = rest.first.map(ASCII.lowercased) {
      switch (unit, rest.count) {
      case (UInt8(ascii: "x"), 1): return number
      // Of any height.
      case (UInt8(ascii: "x"), 2) where ASCII.lowercased(rest[rest.startIndex + 1]) == 0x6e:
        return number
      case (UInt8(ascii: "x"), _): return self.number(rest.dropFirst()).map { _ in number }
      case (UInt8(ascii: "p"), 2) where ASCII.lowercased(rest[rest.startIndex + 1]) == 0x78:
        return number
      case (UInt8(ascii: "w"), 1): return number >= 100 ? number : nil
      default: return nil
      }
    }
    guard !isFile, digits.isEmpty, let unit = word.first.map(ASCII.lowercased),
      unit == UInt8(ascii: "w") || unit == UInt8(ascii: "h") || unit == UInt8(ascii: "s")
    else { return nil }
    let parts = word.dropFirst().split(
      separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first.flatMap(number) else { return nil }
    return parts.count == 1 || number(parts[1]) != nil ? first : nil
  }

  private static func number(_ digits: Bytes) -> Int? {
    guard (2...5).contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number >= 16 ? number : nil
  }

  private mutating func recordPixels(in text: Bytes) {
    var index = text.startIndex
    while let word = Self.nextWord(in: text, &index) {
      if let pixels = Self.pixels(word, isFile: false) {
        recordPixels(pixels, isHeight: word.first.map(ASCII.lowercased) == UInt8(ascii: "h"))
      }
    }
  }

  /// The largest number that is a side of an image in pixels.
  private static let pixelLimit = 20_000

  private mutating func recordPixels(_ number: Int, isHeight: Bool = false) {
    guard (16...Self.pixelLimit).contains(number) else { return }
    if isHeight {
      height = max(height ?? 0, number)
    } else {
      width = max(width ?? 0, number)
    }
  }
}
