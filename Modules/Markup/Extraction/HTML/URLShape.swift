/// The parts of an image's URL that tell what it shows, as bytes: pages have many images, and bytes are
/// compared faster than characters.
struct URLShape {
  typealias Bytes = ArraySlice<UInt8>

  /// The host with its port; empty for a reference without one.
  private(set) var host: Bytes = []
  /// The segments of the path that are not empty.
  private(set) var segments: [Bytes] = []
  /// The segments of the path without the file name.
  private(set) var folders: ArraySlice<Bytes> = []
  private(set) var query: Bytes = []
  /// The extension of the file name in lower case; empty if there is none.
  private(set) var fileExtension = ""
  /// The file name without its extension.
  private(set) var stem: Bytes = []
  /// The suffix that some programs append to the extension to name a version: `a.jpg!large`, `a.jpg@300w`.
  private(set) var variant: Bytes = []

  static let photoExtensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "avif", "gif", "tif", "tiff", "heic", "heif",
    "bmp",
    "jxl", "jp2",
  ]

  init(_ url: String) {
    var rest = Array(url.utf8)[...]
    if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
    if let question = rest.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[(question + 1)...]
      rest = rest[..<question]
    }
    if let start = Self.hostStart(rest) {
      rest = rest[start...]
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      host = rest[..<end]
      rest = rest[end...]
    }
    segments = rest.split(separator: UInt8(ascii: "/"))
    if rest.last == UInt8(ascii: "/") {
      folders = segments[...]
    } else {
      folders = segments.dropLast()
      readFileName(segments.last ?? [])
    }
  }

  /// Returns the index after `//`, if the reference begins with it or with a scheme before it.
  private static func hostStart(_ bytes: Bytes) -> Int? {
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash + 1 < bytes.endIndex,
      bytes[slash + 1] == UInt8(ascii: "/"),
      slash == bytes.startIndex || bytes[slash - 1] == UInt8(ascii: ":")
    else { return nil }
    return slash + 2
  }

  private mutating func readFileName(_ name: Bytes) {
    stem = name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return }
    let word = name[(dot + 1)...].prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    if word.endIndex < name.endIndex, (3...4).contains(word.count) {
      let text = String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self)
      if Self.photoExtensions.contains(text) {
        (fileExtension, stem, variant) = (text, name[..<dot], name[word.endIndex...])
        return
      }
    }
    guard (1...5).contains(name.endIndex - dot - 1) else { return }
    fileExtension = String(decoding: name[(dot + 1)...].lazy.map(ASCII.lowercased), as: UTF8.self)
    stem = name[..<dot]
  }

  /// Whether the path ends like an image file, and is not known to lead to a page about a file.
  var isImageFile: Bool { Self.photoExtensions.contains(fileExtension) && !isPageAboutFile }

  /// Whether the path is that of a page about a file in a wiki (`File:A.jpg`), in a repository of sources
  /// (`/blob/main/a.jpg`), or of Blogger (`/s1600-h/a.jpg`).
  var isPageAboutFile: Bool {
    hasNamespace || isInSourceRepository
      || folders.contains {
        $0.first == UInt8(ascii: "s") && $0.suffix(2).elementsEqual("-h".utf8)
      }
  }

  /// Whether the path has the name of a branch after `blob`, as `/blob/main/a.jpg` does, rather than a number.
  private var isInSourceRepository: Bool {
    guard let blob = folders.firstIndex(where: { $0.elementsEqual("blob".utf8) }) else {
      return false
    }
    guard blob + 1 < folders.endIndex else { return true }
    return !folders[blob + 1].allSatisfy(ASCII.isDigit)
  }

  /// The URL of another image in the query, percent-encoded, of which a program makes this one; nil if
  /// there is none.
  var innerURL: String? {
    let marks = ["http%3a%2f%2f", "https%3a%2f%2f"]
    for (_, value) in parameters {
      let start = value.drop { !ASCII.isLetter($0) || ASCII.lowercased($0) != UInt8(ascii: "h") }
      let text = String(decoding: start.lazy.map(ASCII.lowercased), as: UTF8.self)
      // The quotation marks around a URL, percent-encoded, have no letter that begins one.
      guard marks.contains(where: text.hasPrefix) else { continue }
      return text.replacing("%3a", with: ":").replacing("%2f", with: "/")
    }
    return nil
  }

  /// The parts of the path and of the values of the query that may identify one thing: at least eight
  /// letters and digits with a digit or at least three capitals and three small letters among them, also
  /// with hyphens and underscores between them.
  var identifiers: Set<Bytes> {
    var result: Set<Bytes> = []
    for part in segments + parameters.map(\.value) {
      for name in part.split(whereSeparator: { !Self.isNameByte($0) }) {
        if Self.isIdentifier(name) { result.insert(name) }
        for word in name.split(whereSeparator: { $0 == 0x2d || $0 == 0x5f })
        where Self.isIdentifier(word) {
          result.insert(word)
        }
      }
    }
    return result
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == 0x2d || byte == 0x5f
  }

  private static func isIdentifier(_ text: Bytes) -> Bool {
    guard text.count >= 8 else { return false }
    return text.contains(where: ASCII.isDigit)
      || text.count <= 24 && text.count(where: ASCII.isCapital) >= 3
        && text.count(where: { (0x61...0x7a).contains($0) }) >= 3
  }

  /// Whether the file name begins with the name of a namespace and a colon, plain or percent-encoded.
  /// MediaWiki writes such names with a capital, or in another script; other wikis write folders so in
  /// small letters.
  private var hasNamespace: Bool {
    guard let first = stem.first,
      ASCII.isCapital(first) || first == UInt8(ascii: "%") || first >= 0x80
    else { return false }
    for index in stem.indices {
      if stem[index] == UInt8(ascii: ":") { return true }
      if stem[index] == UInt8(ascii: "%"), index + 2 < stem.endIndex, stem[index + 1] == 0x33,
        stem[index + 2] | 0x20 == UInt8(ascii: "a")
      {
        return true
      }
    }
    return false
  }

  /// Whether the path or the query has the extension of an image as a word, such as `a-jpg.12` or
  /// `?file=a.jpg`.
  var namesImageFormat: Bool {
    let parts = segments + [query]
    return parts.contains { part in
      part.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }.contains { word in
        Self.photoExtensions.contains(
          String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self))
      }
    }
  }

  /// The names and values of the query, which ampersands or semicolons separate. Some pages escape the
  /// ampersand twice, so that `amp` is left over.
  var parameters: [(name: String, value: Bytes)] {
    query.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }.filter {
      !$0.elementsEqual("amp".utf8)
    }.map { part in
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let name = String(decoding: part[..<equals].lazy.map(ASCII.lowercased), as: UTF8.self)
      return (name, equals == part.endIndex ? [] : part[(equals + 1)...])
    }
  }
}

/// Classes of ASCII characters.
enum ASCII {
  static func lowercased(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a }
  static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(lowercased(byte))
  }
  static func isCapital(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5a }
}
