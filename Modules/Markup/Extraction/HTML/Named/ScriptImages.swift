/// The strings in a script that are URLs of image files, with the arrays and objects that name them. The script may be
/// JSON or a program; only strings, brackets and the names before colons are read.
struct ScriptImages {
  private static let urlLimit = 5_000
  private static let urlLength = 1_000
  private static let depthLimit = 64

  private(set) var urls: [String] = []
  /// The largest versions by the smaller ones of the same objects.
  private(set) var larger: [String: String] = [:]
  private var groups: [Group: [String]] = [:]
  private var open: [Bracket] = []
  private var arrayCount = 0

  /// The files that one member of the objects of an array, or the array itself, names in one folder.
  private struct Group: Hashable {
    let array: Int
    let member: [UInt8]
    let folder: [UInt8]
  }

  private struct Bracket {
    /// The number of an array; nil for an object.
    var array: Int?
    /// The name of the member that has the array or object.
    var name: [UInt8]
    /// The images that the members of the object name.
    var images: [(name: [UInt8], url: String)] = []
    /// The URLs of the members without an extension, which are images if the object states a width and a
    /// height.
    var possible: [(name: [UInt8], url: String)] = []
    var hasWidth = false
    var hasHeight = false
  }

  /// The length from which a string may be data in JSON itself, and the number of such strings in one another.
  private static let dataLength = 40
  private static let nestingLimit = 2

  init(_ text: String) { read(ScriptStrings(text), nesting: 0) }

  private mutating func read(_ strings: ScriptStrings, nesting: Int) {
    var strings = strings
    guard strings.mayNameFiles else { return }
    let outer = open
    open = []
    defer { open = outer }
    var name: [UInt8] = []
    while urls.count < Self.urlLimit, let token = strings.next() {
      switch token {
      case .name(let bytes):
        name = bytes
        noteSide(bytes)
      case .string(let bytes):
        if bytes.count >= Self.dataLength, nesting < Self.nestingLimit,
          bytes.contains(UInt8(ascii: "\""))
        {
          read(ScriptStrings(bytes), nesting: nesting + 1)
        } else if bytes.count <= Self.urlLength {
          add(bytes, named: name)
        }
        if open.last?.array == nil { name = [] }
      case .begin(let isArray):
        guard open.count < Self.depthLimit else { return }
        if isArray { arrayCount += 1 }
        open.append(Bracket(array: isArray ? arrayCount : nil, name: name))
        name = []
      case .end(let isArray):
        // A program may have brackets in other places than in values.
        if let last = open.last, (last.array != nil) == isArray { close(open.removeLast()) }
        name = []
      }
    }
  }

  private mutating func add(_ string: [UInt8], named name: [UInt8]) {
    guard string.count >= 5, string.contains(UInt8(ascii: ".")), !string.contains(0x20),
      let url = Reference.cleaned(String(decoding: string, as: UTF8.self))
    else { return }
    let shape = URLShape(url)
    guard Reference.isAbsolute(url) || url.hasPrefix("/") else { return }
    guard shape.isImageFile else {
      addPossible(url, shape, named: name)
      return
    }
    urls.append(url)
    if let last = open.indices.last, open[last].array == nil, open[last].images.count < 16 {
      open[last].images.append((name, url))
    }
    addToGroup(url, shape, named: name)
  }

  /// Records that the object states a width or a height.
  private mutating func noteSide(_ name: [UInt8]) {
    guard let last = open.indices.last, name.count <= 6 else { return }
    if name.elementsEqual("width".utf8) || name.elementsEqual("w".utf8) {
      open[last].hasWidth = true
    } else if name.elementsEqual("height".utf8) || name.elementsEqual("h".utf8) {
      open[last].hasHeight = true
    }
  }

  /// Records a URL that may be that of an image, as it has the name of one thing and no extension.
  private mutating func addPossible(_ url: String, _ shape: URLShape, named name: [UInt8]) {
    guard let last = open.indices.last, open[last].array == nil, open[last].possible.count < 2,
      shape.fileExtension.isEmpty, shape.query.isEmpty, shape.stem.count >= 8,
      shape.stem.contains(where: ASCII.isDigit)
    else { return }
    open[last].possible.append((name, url))
  }

  private mutating func addToGroup(_ url: String, _ shape: URLShape, named name: [UInt8]) {
    guard let array = open.lastIndex(where: { $0.array != nil }), let number = open[array].array,
      open.count - array <= 3,
      !Self.namesOthers(open[array].name)
    else { return }
    let group = Group(array: number, member: name, folder: PageFolder(shape).bytes)
    groups[group, default: []].append(url)
  }

  /// Whether an array has images of other things than those that the page is about.
  private static func namesOthers(_ name: [UInt8]) -> Bool {
    Words.split(name).contains {
      OmittedWords.places.contains($0) || $0.hasPrefix("related") || $0 == "variants"
        || OmittedWords.navigation.contains($0) || OmittedWords.wrappers.contains($0)
    }
  }

  private mutating func close(_ bracket: Bracket) {
    if bracket.hasWidth, bracket.hasHeight, bracket.images.isEmpty, bracket.possible.count == 1 {
      let (name, url) = bracket.possible[0]
      urls.append(url)
      addToGroup(url, URLShape(url), named: name)
    }
    guard bracket.images.count >= 2 else { return }
    let ranks = bracket.images.map { Self.rank(of: $0.name) }
    guard let most = ranks.max(), let best = ranks.firstIndex(of: most) else { return }
    // A name such as `url` or `image` is that of a smaller version only beside one such as `full`.
    for (image, rank) in zip(bracket.images, ranks) where rank < most && (rank < 2 || most > 4) {
      larger[image.url] = bracket.images[best].url
    }
  }

  /// Returns the order of the sizes that the name of a member tells.
  private static func rank(of name: [UInt8]) -> Int {
    let text = String(decoding: name.lazy.map(ASCII.lowercased), as: UTF8.self)
    for (rank, words) in [
      (0, ["thumb", "tiny", "icon", "mini"]), (1, ["small", "preview", "low"]), (2, ["medium"]),
      (6, ["orig", "full", "hires", "highres", "zoom", "max", "raw"]), (5, ["large", "big", "hd"]),
    ] where words.contains(where: text.contains) {
      return rank
    }
    return 3
  }

  /// The files of the largest group of at least three; of equally large ones the larger versions.
  var series: [String] {
    var best: [String] = []
    var bestRank = -1
    for (group, files) in groups where files.count >= max(3, best.count) {
      let rank = Self.rank(of: group.member) * 100_000 + (ImageVersion(files[0]).pixels ?? 50_000)
      if files.count > best.count || rank > bestRank { (best, bestRank) = (files, rank) }
    }
    return best
  }
}
