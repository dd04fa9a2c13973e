/// The links of a page to larger versions of images that it shows elsewhere, such as those for download: the URLs name
/// the same version-independent image, or differ in one folder, which names the size.
struct LinkedVersions {
  private let address: PageAddress
  /// The indices in `files` by the texts that versions of one image have in common.
  private var indices: [String: [Int]] = [:]
  private var files: [File] = []

  private struct File {
    let reference: String
    let shape: URLShape
    let version: ImageVersion
  }

  /// The number of links to image files that are compared, and that of those with a text in common.
  private static let fileLimit = 10_000
  private static let commonLimit = 16
  /// The number of folders up to which URLs are compared without one of them.
  private static let folderLimit = 12

  init(_ page: PageExtractor) {
    address = page.address
    let references = page.textLinks.lazy.map(\.best.url) + page.offeredFiles.lazy
    for reference in references.prefix(Self.fileLimit) { add(reference) }
  }

  private mutating func add(_ reference: String) {
    let shape = URLShape(address.canonical(reference))
    let version = ImageVersion(shape)
    for text in Self.texts(shape, version) {
      if indices[text, default: []].count < Self.commonLimit {
        indices[text, default: []].append(files.count)
      }
    }
    files.append(File(reference: reference, shape: shape, version: version))
  }

  /// Takes the largest linked version of each image for which a larger one than the shown is linked.
  func replaceSmaller(in images: inout [PageImage]) {
    guard !files.isEmpty else { return }
    for index in images.indices where images[index].best.source != .link {
      let shape = URLShape(address.canonical(images[index].best.url))
      var best = (shape: shape, version: ImageVersion(shape))
      for text in Self.texts(best.shape, best.version) {
        for file in (indices[text] ?? []).lazy.map({ files[$0] })
        where Self.isLarger((file.shape, file.version), than: best) {
          best = (file.shape, file.version)
          images[index].best = ImageCandidate(url: file.reference, source: .link)
        }
      }
      if images[index].best.source == .link {
        images[index].versions.append(images[index].best.url)
      }
    }
  }

  /// Returns the texts of which versions of one image have one in common: the URL without what names a version, and
  /// the URL without each of its folders, if the rest has more than a number in it.
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

  /// Whether the parts of one URL that name a size name a larger one than those of the other.
  private static func isLarger(
    _ a: (shape: URLShape, version: ImageVersion), than b: (shape: URLShape, version: ImageVersion)
  ) -> Bool {
    if let mine = a.version.percentage, let other = b.version.percentage { return mine > other }
    if let mine = a.version.pixels, let other = b.version.pixels, mine != other {
      return mine > other
    }
    if a.version.isReduced != b.version.isReduced { return b.version.isReduced }
    let (mine, other) = (rank(a.shape), rank(b.shape))
    if let mine, let other { return mine > other }
    // A URL without a size usually names the original, in contrast to one with a size in it.
    return a.version.pixels == nil && b.version.pixels != nil
  }

  /// Returns the order of the size that a word in a folder or in the name of the file names; nil if none does.
  private static func rank(_ shape: URLShape) -> Int? {
    let words = shape.folders.flatMap { Words.split($0) } + Words.split(shape.stem)
    return words.lazy.compactMap { ranks[$0] }.max()
  }

  private static let ranks = [
    "mini": 0, "tiny": 0, "thumb": 0, "thumbs": 0, "thumbnail": 0, "thumbnails": 0, "small": 1,
    "medium": 2, "large": 3, "big": 3, "xlarge": 4, "huge": 4, "hires": 4, "orig": 5,
    "original": 5, "originals": 5, "full": 5, "fullsize": 5,
  ]
}
