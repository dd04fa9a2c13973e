/// The links of a page to larger versions of images that it shows elsewhere, such as those for download.
///
/// Two URLs are of one image if they are equal but for the parts that name a version, but for one folder,
/// or but for two neighbouring folders with a width and a height. The linked one is taken only if its parts
/// name a larger size.
struct LinkedVersions {
  private let address: PageAddress
  /// The indices in `files` by the texts that versions of one image have in common.
  private var indices: [String: [Int]] = [:]
  private var files: [File] = []

  private struct File {
    let reference: String
    let size: Size
  }

  /// The number of links to image files that are compared, and that of those with a text in common.
  static let fileLimit = 2_000
  private static let commonLimit = 8
  /// The number of folders, and of bytes, up to which URLs are compared without one of the folders.
  private static let folderLimit = 12
  private static let lengthLimit = 500

  init(_ page: PageExtractor) {
    address = page.address
    let references = page.textLinks.lazy.map(\.best.url) + page.offeredFiles.lazy
    for reference in references.prefix(Self.fileLimit) { add(reference) }
  }

  private mutating func add(_ reference: String) {
    let url = address.canonical(reference)
    let shape = URLShape(url)
    let version = ImageVersion(shape)
    guard url.utf8.count <= Self.lengthLimit else { return }
    for text in Self.texts(shape, version) {
      if indices[text, default: []].count < Self.commonLimit {
        indices[text, default: []].append(files.count)
      }
    }
    files.append(File(reference: reference, size: Size(shape, version)))
  }

  /// Takes the largest linked version of each image for which a larger one than the shown is linked.
  func replaceSmaller(in images: inout [PageImage]) {
    guard !files.isEmpty else { return }
    for index in images.indices where images[index].best.source != .link {
      let url = address.canonical(images[index].best.url)
      guard url.utf8.count <= Self.lengthLimit else { continue }
      let shape = URLShape(url)
      let version = ImageVersion(shape)
      var best = Size(shape, version)
      for text in Self.texts(shape, version) {
        for file in (indices[text] ?? []).lazy.map({ files[$0] })
        where text.hasPrefix(Self.pairMark)
          ? file.size.hasLargerPair(than: best) : file.size.isLarger(than: best)
        {
          best = file.size
          images[index].best = ImageCandidate(url: file.reference, source: .link)
        }
      }
      if images[index].best.source == .link {
        images[index].versions.append(images[index].best.url)
      }
    }
  }

  /// Returns texts of which two versions of one image have at least one in common: the URL without what
  /// names a version, and the URL without each of its folders, unless the file name is too short to tell
  /// images apart.
  private static func texts(_ shape: URLShape, _ version: ImageVersion) -> [String] {
    var texts = [version.key]
    guard shape.stem.count >= 4, shape.query.isEmpty, shape.folders.count <= folderLimit else {
      return texts
    }
    for omitted in shape.folders.indices {
      var text = Array(shape.host)
      for index in shape.folders.indices {
        text.append(UInt8(ascii: "/"))
        text += index == omitted ? [UInt8(ascii: "*")] : shape.folders[index]
      }
      text.append(UInt8(ascii: "/"))
      texts.append(String(decoding: text + shape.stem, as: UTF8.self))
    }
    if let pair = SizePair(shape.folders), shape.stem.count >= 8 {
      let folders = shape.folders[..<pair.index] + shape.folders[(pair.index + 2)...]
      let path = folders.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
      let (host, stem) = (shape.host, shape.stem)
      texts.append(
        "\(Self.pairMark)\(pair.index) \(String(decoding: host, as: UTF8.self))/\(path)/"
          + String(decoding: stem, as: UTF8.self))
    }
    return texts
  }

  /// The beginning of the texts without two folders that tell the width and the height. No URL begins so.
  private static let pairMark = " "

  /// Two neighbouring folders with the width and the height, both −1 or 0 for the original.
  private struct SizePair {
    let index: Int
    let width: Int
    let height: Int

    var isOriginal: Bool { width <= 0 }

    init?(_ folders: ArraySlice<URLShape.Bytes>) {
      var last: Int?
      for index in folders.indices {
        let number = Self.number(folders[index])
        if let last, let number, (last <= 0) == (number <= 0) {
          (self.index, width, height) = (index - 1, last, number)
          return
        }
        last = number
      }
      return nil
    }

    /// Returns the number of a folder that may be a side in pixels, −1 or 0. Days and months are smaller.
    private static func number(_ folder: URLShape.Bytes) -> Int? {
      guard folder.count <= 5, let number = Int(String(decoding: folder, as: UTF8.self)),
        (-1...0).contains(number) || (48...20_000).contains(number)
      else { return nil }
      return number
    }
  }

  /// The parts of a URL that tell the size of an image.
  private struct Size {
    private let percentage: Double?
    private let pixels: Int?
    private let isReduced: Bool
    /// The order of the sizes that words of the URL name; nil if none does.
    private let rank: Int?
    private let pair: SizePair?

    init(_ shape: URLShape, _ version: ImageVersion) {
      percentage = version.percentage
      pixels = version.pixels
      isReduced = version.isReduced
      let words = shape.folders.flatMap { Words.split($0) } + Words.split(shape.stem)
      rank = words.lazy.compactMap { Self.ranks[$0] }.max()
      pair = SizePair(shape.folders)
    }

    func hasLargerPair(than other: Size) -> Bool {
      guard let pair, let others = other.pair, !others.isOriginal else { return false }
      return pair.isOriginal || pair.width > others.width && pair.height > others.height
    }

    func isLarger(than other: Size) -> Bool {
      if let percentage, let others = other.percentage { return percentage > others }
      if let pixels, let others = other.pixels, pixels != others { return pixels > others }
      if isReduced != other.isReduced { return other.isReduced }
      if let rank, let others = other.rank { return rank > others }
      // A URL without a size usually names the original, in contrast to one with a size in it.
      return pixels == nil && other.pixels != nil
    }

    private static let ranks = [
      "mini": 0, "tiny": 0, "thumb": 0, "thumbs": 0, "thumbnail": 0, "thumbnails": 0, "small": 1,
      "medium": 2, "large": 3, "big": 3, "xlarge": 4, "huge": 4, "hires": 4, "orig": 5,
      "original": 5, "originals": 5, "full": 5, "fullsize": 5,
    ]
  }
}
