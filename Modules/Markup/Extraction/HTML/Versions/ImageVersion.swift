/// Recognizes in URLs which version of an image they name: `photo-300x200.jpg`, `/w640/photo.jpg`,
/// `photo.jpg?width=640`, `/full/843,/0/default.jpg` (IIIF Image API 2.1).
struct ImageVersion {
  private typealias Bytes = URLShape.Bytes

  /// The largest number that looks like a width in pixels, or else like a height; nil if there is none. Of
  /// sizes in the path and in the query the smaller one counts.
  var pixels: Int? { size.pixels }

  /// Whether the URL names a width and a height of which the first one is at least three times the second.
  var isWide: Bool { size.isWide }

  /// Whether a word such as `thumb` or `sample` says that the version is smaller than the original.
  private(set) var isReduced = false
  /// Whether the query may name a size in an unknown way, so that the URL is rather not that of the original.
  private(set) var hasUnknownOptions = false
  /// The order of the size that a word of the URL names, such as `large`; nil if none does.
  private(set) var rank: Int?
  /// The size in percent of the original (IIIF Image API 2.1, section 4.2, `pct:n`); nil if the URL has
  /// none.
  private(set) var percentage: Double?
  /// The URL without the parts that name a version. Two URLs with the same key show the same image.
  var key: String { String(decoding: keyBytes, as: UTF8.self) }

  private var keyBytes: [UInt8] = []
  private var size = VersionSize()

  /// The number of URLs in one another that are read.
  private static let nestingLimit = 3

  init(_ url: String) { self.init(URLShape(url)) }

  init(_ shape: URLShape) { self.init(shape, nesting: 0) }

  private init(_ shape: URLShape, nesting: Int) {
    keyBytes.reserveCapacity(128)
    if let request = IIIFRequest(shape) {
      keyBytes += shape.host
      for segment in request.identifier { keyBytes += [0x2f] + segment }
      (size, percentage, isReduced) = (request.size, request.percentage, request.isRegion)
      return
    }
    if nesting < Self.nestingLimit, let nested = NestedImage(shape) {
      read(nested, of: shape, nesting: nesting)
      return
    }
    keyBytes += shape.host
    let hostEnd = keyBytes.count
    let isCut = readFolders(shape.folders, stem: shape.stem)
    let start = keyBytes.count
    if !isCut { readFile(of: shape) }
    // A file whose name is only a version is identified by its folder, if there is one.
    if keyBytes.count == start, start == hostEnd { keyBytes += shape.stem }
    if !shape.query.isEmpty { readQuery(of: shape, isCut: isCut) }
  }

  /// Takes the key of the image in the URL, on the same host unless it has one, and the size of the options.
  private mutating func read(_ nested: NestedImage, of shape: URLShape, nesting: Int) {
    let inner = ImageVersion(URLShape(nested.reference), nesting: nesting + 1)
    if !Reference.isAbsolute(nested.reference) { keyBytes += shape.host }
    keyBytes += inner.keyBytes
    (isReduced, rank) = (inner.isReduced, inner.rank)
    var outer = VersionSize()
    for folder in nested.folders { outer.recordOptions(in: folder) }
    if let parameter = nested.parameter {
      outer = outer.limited(
        by: VersionQuery(shape, namesImage: true, except: parameter).size)
    }
    size = inner.size.limited(by: outer)
  }

  // MARK: - The query

  private mutating func readQuery(of shape: URLShape, isCut: Bool) {
    let last = shape.stem.isEmpty ? shape.folders.last ?? [] : shape.stem
    let namesImage = isCut || shape.fileExtension.isEmpty && Self.isIdentifier(last)
    if shape.parameters.contains(where: { VersionWords.reduced.contains($0.name) }) {
      isReduced = true
    }
    let query = VersionQuery(shape, namesImage: namesImage)
    size = size.limited(by: query.size)
    if query.hasUnknownOptions { hasUnknownOptions = true }
    for word in query.words { recordWords(in: word) }
    var kept = query.kept
    // Of a program, one of the parameters names the image.
    if kept.isEmpty, !shape.isImageFile, !namesImage {
      kept = [String(decoding: shape.query, as: UTF8.self)]
    }
    for parameter in kept.sorted() { keyBytes += Array("?\(parameter)".utf8) }
  }

  /// Whether the last part of a path without an extension names one thing rather than a program.
  private static func isIdentifier(_ name: Bytes) -> Bool {
    name.count >= 8 && name.contains(where: ASCII.isDigit)
  }

  /// Whether a parameter of a query only tells the version of an image.
  static func isOfVersion(parameter name: String) -> Bool {
    VersionWords.sizeParameters.contains(name) || VersionWords.versionParameters.contains(name)
      || VersionWords.reduced.contains(name)
  }

  // MARK: - The path

  /// Appends the folders that do not only name a version.
  /// - Returns: Whether a folder has the name of an image file, so that what follows it names a version.
  private mutating func readFolders(_ folders: ArraySlice<Bytes>, stem: Bytes) -> Bool {
    var index = folders.startIndex
    while index < folders.endIndex {
      let folder = folders[index]
      if let number = Self.percentage(folder) {
        percentage = number
        index += 1
        continue
      }
      if URLShape.isImageName(folder), let dot = folder.lastIndex(of: UInt8(ascii: ".")) {
        appendRest(of: folder[..<dot], isFile: true)
        var rest = VersionSize()
        for folder in folders[(index + 1)...] + [stem] {
          rest.recordOptions(in: folder)
          recordWords(in: folder)
        }
        size = size.limited(by: rest)
        return true
      }
      let version = VersionFolders(folders[index...])
      if version.count > 0 {
        size = size.limited(by: version.size)
        index += version.count
      } else {
        appendRest(of: folder, isFile: false)
        index += 1
      }
    }
    return false
  }

  /// Returns the number of a size such as `pct:12.5`; nil for another folder.
  private static func percentage(_ folder: Bytes) -> Double? {
    guard folder.starts(with: "pct:".utf8), folder.count <= 16 else { return nil }
    guard let number = Double(String(decoding: folder.dropFirst(4), as: UTF8.self)),
      number > 0, number <= 100
    else { return nil }
    return number
  }

  /// Appends what names the image in the name of its file.
  private mutating func readFile(of shape: URLShape) {
    let stem = shape.stem
    if !shape.variant.isEmpty {
      size.recordOptions(in: shape.variant)
      recordWords(in: shape.variant)
    }
    if let number = Self.identifier(stem) {
      keyBytes += number
      let end = stem.split(separator: UInt8(ascii: "_")).dropFirst(2).last ?? []
      if let pixels = VersionWords.letterSizes[String(decoding: end, as: UTF8.self)] {
        size.record(pixels)
      }
    } else if shape.fileExtension.isEmpty, let equals = stem.lastIndex(of: UInt8(ascii: "=")),
      let flags = GoogleFlags(stem[(equals + 1)...])
    {
      keyBytes += [0x2f] + stem[..<equals]
      size = size.limited(by: flags.size)
    } else if stem.starts(with: "s-l".utf8), let pixels = VersionSize.number(stem.dropFirst(3)) {
      // The folder names the image.
      size.record(pixels)
    } else if let rank = VersionWords.letterRanks[String(decoding: stem, as: UTF8.self)],
      let folder = shape.folders.last, folder.count >= 6, folder.contains(where: ASCII.isDigit)
    {
      self.rank = rank
    } else {
      let version = VersionStem(stem)
      size = size.limited(by: version.size)
      if version.name.count < stem.count {
        recordWords(in: stem[version.name.endIndex...])
        hasUnknownOptions = version.size.pixels == nil && rank == nil
      }
      appendRest(of: version.name, isFile: true)
    }
  }

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

  // MARK: - Words

  private mutating func recordWords(in text: Bytes) {
    for word in Words.split(text) { recordWord(word) }
  }

  /// Records the first and the last word of a name. Between others, such a word tells what the image shows, and
  /// so does an adjective before two other words.
  private mutating func recordOuterWords(of words: [String]) {
    if let first = words.first,
      words.count == 1 || VersionWords.ranks[first] == 0 || words.count == 2 && first != "square"
    {
      recordWord(first)
    }
    if words.count > 1, let last = words.last, last != "square" { recordWord(last) }
  }

  private mutating func recordWord(_ word: String) {
    if VersionWords.reduced.contains(word) { isReduced = true }
    if let rank = VersionWords.ranks[word] { self.rank = max(self.rank ?? rank, rank) }
  }

  /// Appends to the key what remains of a folder or file name without the words that name a version.
  private mutating func appendRest(of text: Bytes, isFile: Bool) {
    let start = keyBytes.count
    keyBytes.append(UInt8(ascii: "/"))
    var dimension: String?
    var hasOnlyNumbers = true
    var numbers: [Int] = []
    var part = VersionSize()
    var words: [String] = []
    defer { recordOuterWords(of: words) }
    var index = text.startIndex
    while let word = VersionSize.nextWord(in: text, &index) {
      let lower = String(decoding: word.lazy.map(ASCII.lowercased), as: UTF8.self)
      let number = word.count <= 6 ? Int(lower) : nil
      if number == nil { words.append(lower) }
      defer { dimension = !isFile && VersionWords.dimensions.contains(lower) ? lower : nil }
      if VersionWords.formats.contains(lower) { words.removeLast() }
      if VersionWords.any.contains(lower) || !isFile && VersionWords.folders.contains(lower) {
        continue
      }
      if let pixels = VersionSize.pixels(word, isFile: isFile) {
        if words.last == lower { words.removeLast() }
        part.record(pixels, isHeight: lower.utf8.first == UInt8(ascii: "h"))
        if let height = VersionSize.height(word) { part.record(height, isHeight: true) }
      } else if let dimension, let number {
        part.record(number, isHeight: dimension.hasPrefix("h"))
      } else if !isFile, VersionWords.dimensions.contains(lower), Self.beginsWithDigit(text, index)
      {
        continue
      } else {
        if let number { numbers.append(number) } else { hasOnlyNumbers = false }
        if keyBytes.count > start + 1 { keyBytes.append(UInt8(ascii: "-")) }
        keyBytes += word
      }
    }
    // The size of the IIIF Image API: `843,`, `,600` or `!800,600`.
    if !isFile, hasOnlyNumbers, text.contains(UInt8(ascii: ",")) {
      for number in numbers { part.record(number) }
      keyBytes.removeLast(keyBytes.count - start)
    }
    size = size.limited(by: part)
    if keyBytes.count == start + 1 { keyBytes.removeLast() }
  }

  /// Whether the next word after an index begins with a digit.
  private static func beginsWithDigit(_ text: Bytes, _ index: Int) -> Bool {
    text[index...].first(where: VersionSize.isWordByte).map(ASCII.isDigit) ?? false
  }
}
