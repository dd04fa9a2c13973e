/// The links of a page to larger versions of images that it shows elsewhere, such as those for download.
///
/// Two URLs are of one image if they are equal but for the parts that name a version, or but for one folder. The
/// linked one is taken only if its parts name a larger size.
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
        where file.size.isLarger(than: best) {
          best = file.size
          images[index].best = ImageCandidate(url: file.reference, source: .link)
        }
      }
      if images[index].best.source == .link {
        images[index].versions.append(images[index].best.url)
      }
    }
  }

  /// Returns texts of which two versions of one image have at least one in common: the URL without what names a
  /// version, and the URL without each of its folders, unless the file name is too short to tell images apart.
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
    return texts
  }

  /// The parts of a URL that tell the size of an image.
  private struct Size {
    private let percentage: Double?
    private let pixels: Int?
    private let isReduced: Bool
    /// The order of the sizes that words of the URL name; nil if none does.
    private let rank: Int?

    init(_ shape: URLShape, _ version: ImageVersion) {
      percentage = version.percentage
      pixels = version.pixels
      isReduced = version.isReduced
      let words = shape.folders.flatMap { Words.split($0) } + Words.split(shape.stem)
      rank = words.lazy.compactMap { Self.ranks[$0] }.max()
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
