/// The larger versions of shown images that a page names elsewhere: in links such as those for download, in
/// lists for choice, in attributes and scripts.
///
/// Two URLs are of one image if they are equal but for the parts that name a version, but for one folder, or but
/// for two neighbouring folders with a width and a height. On hosts of the same site, the same long file name
/// with a digit, or the same digest in it, suffices. The other one is taken only if its parts name a larger
/// size.
struct LinkedVersions {
  private let address: PageAddress
  /// The indices in `files` by the texts that versions of one image have in common.
  private var indices: [String: [Int]] = [:]
  private var files: [File] = []

  private struct File {
    let reference: String
    let referrerPolicy: String?
    let measure: VersionMeasure
    /// The omission of the link to the file. A digest suffices to recognize an image only at a place like
    /// its own.
    let omission: Omission
  }

  /// The number of files that are compared, and that of those with a text in common.
  static let fileLimit = 2_000
  private static let commonLimit = 8
  /// The number of folders, and of bytes, up to which URLs are compared without one of the folders.
  private static let folderLimit = 12
  private static let lengthLimit = 500

  init(_ page: PageExtractor) {
    address = page.address
    for link in page.textLinks.prefix(Self.fileLimit) {
      add(link.best.url, omission: link.omission, link.best.referrerPolicy)
    }
    for reference in page.offeredFiles.prefix(Self.fileLimit) { add(reference) }
    for reference in page.namedFiles.urls.prefix(Self.fileLimit) { add(reference) }
  }

  private mutating func add(
    _ reference: String, omission: Omission = .always, _ referrerPolicy: String? = nil
  ) {
    let url = address.canonical(reference)
    let shape = URLShape(url)
    let version = ImageVersion(shape)
    guard url.utf8.count <= Self.lengthLimit else { return }
    for text in Self.texts(shape, version) {
      if indices[text, default: []].count < Self.commonLimit {
        indices[text, default: []].append(files.count)
      }
    }
    files.append(
      File(
        reference: reference, referrerPolicy: referrerPolicy,
        measure: VersionMeasure(shape, version), omission: omission))
  }

  /// Takes the largest linked version of each image for which a larger one than the shown is linked.
  func replaceSmaller(in images: inout [PageImage]) {
    guard !files.isEmpty else { return }
    for index in images.indices where images[index].best.source != .link {
      let url = address.canonical(images[index].best.url)
      guard url.utf8.count <= Self.lengthLimit else { continue }
      let shape = URLShape(url)
      let version = ImageVersion(shape)
      var best = VersionMeasure(shape, version)
      for text in Self.texts(shape, version) {
        for file in (indices[text] ?? []).lazy.map({ files[$0] })
        where !text.hasPrefix(Self.digestMark) || file.omission <= images[index].omission {
          guard
            text.hasPrefix(Self.pairMark)
              ? file.measure.hasLargerPair(than: best) : file.measure.isLarger(than: best)
          else { continue }
          best = file.measure
          images[index].take(
            ImageCandidate(
              url: file.reference, source: .link, referrerPolicy: file.referrerPolicy))
        }
      }
      if images[index].best.source == .link {
        images[index].versions.append(images[index].best.url)
      }
    }
  }

  /// Returns texts of which two versions of one image have at least one in common: the URL without what
  /// names a version, the URL without each of its folders, unless the file name is too short to tell images
  /// apart, and the site with a long file name.
  private static func texts(_ shape: URLShape, _ version: ImageVersion) -> [String] {
    var texts = [version.key]
    let hasIdentity = version.key.utf8.contains(UInt8(ascii: "?"))
    guard shape.stem.count >= 4, !hasIdentity, shape.folders.count <= folderLimit else {
      return texts
    }
    let stem = withoutLetter(shape.stem)
    for omitted in shape.folders.indices {
      var text = Array(shape.host)
      for index in shape.folders.indices {
        text.append(UInt8(ascii: "/"))
        text += index == omitted ? [UInt8(ascii: "*")] : shape.folders[index]
      }
      text.append(UInt8(ascii: "/"))
      texts.append(String(decoding: text + shape.stem, as: UTF8.self))
    }
    if let stem { texts.append(Self.letterMark + path(shape, shape.folders) + stem) }
    if let pair = VersionMeasure.SizePair(shape.folders), shape.stem.count >= 8 {
      let folders = shape.folders[..<pair.index] + shape.folders[(pair.index + 2)...]
      texts.append(
        "\(Self.pairMark)\(pair.index) " + path(shape, folders)
          + String(decoding: shape.stem, as: UTF8.self))
    }
    if shape.stem.count >= 12, shape.stem.contains(where: ASCII.isDigit), !shape.host.isEmpty {
      let site = PageAddress.site(String(decoding: shape.host, as: UTF8.self))
      let stem = String(decoding: withoutUse(shape.stem), as: UTF8.self)
      texts.append(Self.siteMark + site + "/" + ImageVersion(stem).key)
      if let digest = digest(in: shape.stem) { texts.append(Self.digestMark + site + "/" + digest) }
    }
    return texts
  }

  /// Returns the digest in a file name that is long enough to tell all images of a site apart; nil without
  /// one.
  private static func digest(in stem: URLShape.Bytes) -> String? {
    stem.split { !ASCII.isHexadecimalDigit($0) }
      .first { $0.count >= 24 && Words.isDigest($0) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a file name without the word at its end that tells for what the version is made.
  private static func withoutUse(_ stem: URLShape.Bytes) -> URLShape.Bytes {
    guard let mark = stem.lastIndex(where: { $0 == 0x2d || $0 == 0x5f }), stem.count >= 8 else {
      return stem
    }
    let word = String(decoding: stem[(mark + 1)...].lazy.map(ASCII.lowercased), as: UTF8.self)
    return VersionWords.any.contains(word) || VersionWords.ranks[word] != nil ? stem[..<mark] : stem
  }

  private static func path(_ shape: URLShape, _ folders: some Sequence<URLShape.Bytes>) -> String {
    let path = folders.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    return String(decoding: shape.host, as: UTF8.self) + "/" + path + "/"
  }

  /// Returns the number of an image without the letter of a size after it, as in `1234567l`; nil for another
  /// name.
  private static func withoutLetter(_ stem: URLShape.Bytes) -> String? {
    var rest = stem
    while let last = rest.last, !ASCII.isDigit(last), stem.count - rest.count < 3 {
      rest = rest.dropLast()
    }
    guard rest.count >= 5, rest.suffix(5).allSatisfy(ASCII.isHexadecimalDigit),
      rest.suffix(5).count(where: ASCII.isDigit) >= 3
    else { return nil }
    let letters = String(
      decoding: stem[rest.endIndex...].drop { $0 == 0x2d || $0 == 0x5f }, as: UTF8.self)
    guard letters.isEmpty || VersionWords.letterRanks[letters] != nil else { return nil }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The beginnings of texts of other kinds than URLs: without two folders that tell the width and the height,
  /// without the letter of a size, without all folders, and without all but a digest. No URL begins so.
  private static let pairMark = " "
  private static let letterMark = "\t"
  private static let siteMark = "\n"
  private static let digestMark = "\r"
}
