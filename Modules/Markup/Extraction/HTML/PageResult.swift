import Markup

/// Chooses among the images of a page: each image once, in its largest version, without decorations.
struct PageResult {
  private let address: PageAddress
  private var chosen: [PageImage] = []
  /// The chosen images by the keys of their versions.
  private var known: [String: Occurrence] = [:]
  /// The keys of images that were left out.
  private var omitted: Set<String> = []

  /// The indices in `chosen` of the images with a key.
  private struct Occurrence {
    /// The image whose best version has the key.
    var best: Int?
    /// The image one of whose versions, the best included, has the key.
    var any: Int
  }

  /// The number of repetitions from which an image is a decoration, such as a bullet.
  private static let repetitionLimit = 5

  /// The entries of a page.
  struct Found {
    /// In document order.
    var entries: [MarkupEntry] = []
    /// Whether one of them is an image of the contents for certain: the page shows it large, or links to a larger
    /// version of it. Of an image in the head of the page nothing is known, because it may be that of the site.
    var hasContents = false
  }

  static func find(in page: PageExtractor) -> Found {
    var result = PageResult(address: page.address)
    let repeated = result.repeatedURLs(page.images)
    var images = page.images
    result.takeLarger(in: &images, page)
    let relevance = result.weigh(&images, page)
    let series = NamedSeries(page.namedFiles.series, images, relevance) { result.key(of: $0) }
    series?.omitPreviews(of: &images)
    images += series?.images ?? []
    result.add(images, upTo: .none, except: repeated)
    // The image that a page about one thing names as its own counts more than its recommendations.
    if result.chosen.isEmpty, page.metadata.isAboutThing { result.addMetadata(page.metadata) }
    // A page whose images all are at unusual places, or that has only links to images, is better than nothing.
    if result.chosen.isEmpty { result.add(images, upTo: .byPlace, except: repeated) }
    if result.chosen.isEmpty { result.add(page.textLinks, upTo: .byPlace, except: []) }
    result.addMetadata(page.metadata)
    let entries = result.chosen.map { image in
      var entry = MarkupEntry(url: image.best.url)
      entry.title = image.title
      entry.referrerPolicy = image.best.referrerPolicy
      return entry
    }
    return Found(entries: entries, hasContents: result.chosen.contains(where: \.isContent))
  }

  private init(address: PageAddress) { self.address = address }

  /// Takes the larger versions of the images that the page names elsewhere.
  private func takeLarger(in images: inout [PageImage], _ page: PageExtractor) {
    if !page.namedFiles.larger.isEmpty {
      let larger = Dictionary(
        page.namedFiles.larger.map { (address.canonical($0.key), $0.value) },
        uniquingKeysWith: { first, _ in first })
      for index in images.indices where images[index].best.source != .link {
        guard let url = larger[address.canonical(images[index].best.url)] else { continue }
        images[index].take(ImageCandidate(url: url, source: .full))
        images[index].versions.append(url)
      }
    }
    LinkedVersions(page).replaceSmaller(in: &images)
  }

  /// Marks the images without relevance as omitted by their place.
  /// - Returns: The relevance of the images that nothing else speaks against, by their positions among these.
  private func weigh(_ images: inout [PageImage], _ page: PageExtractor) -> ImageRelevance {
    for index in images.indices where images[index].context.isWithoutLink {
      let element = images[index].context.element
      images[index].context.link = page.overlays.relation(over: element, in: page.tree)
    }
    page.cards.link(&images, in: page.tree)
    let indices = images.indices.filter { images[$0].omission == .none }
    var named: Set<String> = []
    for image in page.metadata.images { insertNames(of: image.url, into: &named) }
    for image in page.metadata.linkedData { insertNames(of: image.url, into: &named) }
    for preload in page.metadata.preloads {
      if let best = preload.best { insertNames(of: best.url, into: &named) }
    }
    let counts = counts(images)
    let relevance = ImageRelevance(
      indices.map { index in
        let url = images[index].best.url
        let represents =
          !named.isEmpty
          && (named.contains(key(of: url))
            || identifiers(in: url).contains(where: named.contains)
            || images[index].best.source != .shown
              && images[index].versions.contains { named.contains(key(of: $0)) })
        return ImageRelevance.Subject(
          context: images[index].context, representsPage: represents,
          isRepeated: counts[url, default: 0] > 1, folder: folder(of: url),
          program: program(of: url))
      }, page.tree, isAboutThing: page.metadata.isAboutThing)
    for (position, index) in indices.enumerated() {
      images[index].representsPage = relevance.representsPage(position)
      images[index].isMain = relevance.ownCount > 0 && relevance.mainIndices.contains(position)
      if relevance.isOmitted(position) { images[index].omission = .byPlace }
    }
    return relevance
  }

  /// Inserts the texts by which versions of the image with a URL are recognized.
  private func insertNames(of url: String, into names: inout Set<String>) {
    names.insert(key(of: url))
    names.formUnion(identifiers(in: url))
  }

  /// Returns the numbers of occurrences of the URLs.
  private func counts(_ images: [PageImage]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for image in images where !image.isInNoscript { counts[image.best.url, default: 0] += 1 }
    return counts
  }

  private func repeatedURLs(_ images: [PageImage]) -> Set<String> {
    Set(counts(images).lazy.filter { $0.value >= Self.repetitionLimit }.map(\.key))
  }

  private mutating func add(
    _ images: [PageImage], upTo limit: Omission, except repeated: Set<String>
  ) {
    for image in images {
      if image.omission <= limit, !repeated.contains(image.best.url) {
        insert(image)
      } else if image.omission == .always || image.context.isWay {
        omitted.insert(key(of: image.best.url))
      }
    }
  }

  /// The text by which versions of the same image are recognized; equal for equal URLs.
  private func key(of url: String) -> String { ImageVersion(address.canonical(url)).key }

  /// Adds an image, or merges it with the same one. Two images are the same if the best version of one is a
  /// version of the other; versions that are the best of neither may be placeholders.
  private mutating func insert(_ image: PageImage) {
    let best = key(of: image.best.url)
    let others = image.versions.filter { $0 != image.best.url }.map { key(of: $0) }
    let same = known[best]?.any ?? others.compactMap({ known[$0]?.best }).min()
    let index = same ?? chosen.count
    if same == nil { chosen.append(image) }
    var occurrence = known[best] ?? Occurrence(any: index)
    occurrence.best = occurrence.best ?? index
    known[best] = occurrence
    for key in others where known[key] == nil { known[key] = Occurrence(any: index) }
    if image.best.isLarger(than: chosen[index].best) { chosen[index].take(image.best) }
    if chosen[index].title == nil { chosen[index].title = image.title }
  }

  /// Adds the images of the head that are not on the page, and takes their larger versions of those that
  /// are.
  private mutating func addMetadata(_ metadata: PageMetadata) {
    var images = metadata.images.map { ($0, [$0.url]) }
    for image in metadata.linkedData {
      guard let url = Reference.cleaned(image.url) else { continue }
      let pixels = ImageVersion(url).pixels.map { ImageCandidate.Width.hinted($0) }
      let width = image.width.map { ImageCandidate.Width.stated($0) } ?? pixels ?? .unknown
      images.append((ImageCandidate(url: url, width: width), [url]))
    }
    for preload in metadata.preloads {
      guard let best = preload.best else { continue }
      images.append((best, preload.urls))
    }
    guard !images.isEmpty else { return }
    var identifiers: [String: Int] = [:]
    for (index, image) in chosen.enumerated() {
      for text in self.identifiers(in: image.best.url) where identifiers[text] == nil {
        identifiers[text] = index
      }
    }
    let shown = ShownImages(chosen.map(\.best.url))
    let shownFolders = Set(chosen.map { folder(of: $0.best.url) })
    let isComplete = chosen.count > 1
    let isOfSeveral = chosen.count > 2 && !metadata.isAboutThing
    for (position, (best, versions)) in images.enumerated() {
      let image = PageImage(best: best, versions: versions, title: nil, omission: .none)
      let key = key(of: best.url)
      let own = self.identifiers(in: best.url)
      if known[key] == nil, let index = own.lazy.compactMap({ identifiers[$0] }).first {
        replaceReduced(index, by: best)
        continue
      }
      // An image for social networks that is of another kind than several on the page is that of the site. So is
      // any other one of a page with more images that does not say that it is about one thing.
      let isOfSite =
        position < metadata.images.count && isComplete
        && (isOfSeveral || !shownFolders.contains(folder(of: best.url)))
      guard
        known[key] != nil
          || !omitted.contains(key) && !isOfSite && !shown.haveSource(of: best.url)
            && ImageFilter.omission(ofURL: best.url, isMetadata: true) == .none
      else { continue }
      insert(image)
      for text in own where identifiers[text] == nil { identifiers[text] = chosen.count - 1 }
    }
  }

  /// Takes a larger version of a chosen image that the page shows in a reduced one.
  private mutating func replaceReduced(_ index: Int, by best: ImageCandidate) {
    let (mine, other) = (URLShape(chosen[index].best.url), URLShape(best.url))
    let (version, larger) = (ImageVersion(mine), ImageVersion(other))
    guard
      version.isReduced && !larger.isReduced
        || VersionMeasure(other, larger).hasLargerName(than: VersionMeasure(mine, version))
    else { return }
    chosen[index].take(best)
  }

  /// Returns the folder of a URL with the name of the program that makes the image of the query; nil for a
  /// file.
  private func program(of url: String) -> [UInt8]? {
    let shape = URLShape(address.canonical(url))
    guard !shape.isImageFile, !shape.fileExtension.isEmpty, !shape.query.isEmpty else { return nil }
    return folder(of: url) + [0x2f] + shape.stem
  }

  private func folder(of url: String) -> [UInt8] {
    PageFolder(URLShape(address.canonical(url))).bytes
  }

  /// The texts by which an image of the head is recognized as another version of an image on the page: the
  /// long name of its file, and the folder of its host whose name is an identifier. Images on a page are
  /// not compared so, because different ones may have the same.
  private func identifiers(in url: String) -> [String] {
    // A server that scales images of others has their URL in its own.
    let inner = address.canonical(url).replacing("%2F", with: "/").replacing("%2f", with: "/")
    let shape = URLShape(inner)
    var texts: [String] = []
    if let folder = shape.folders.last, folder.count >= 12, folder.contains(where: ASCII.isDigit) {
      texts.append(String(decoding: shape.host + [0x2f] + folder, as: UTF8.self))
    }
    // Some servers append the extension of another format.
    let name = URLShape(String(decoding: shape.stem, as: UTF8.self))
    let stem = name.isImageFile ? name.stem : shape.stem
    if stem.count >= 12 { texts.append(String(decoding: stem, as: UTF8.self)) }
    // Some servers number the versions, as in `a1234567890_16.jpg`.
    let rest = stem.reversed().drop(while: ASCII.isDigit)
    if stem.count - rest.count <= 2, rest.first == UInt8(ascii: "_"), rest.count >= 11 {
      texts.append(String(decoding: rest.reversed(), as: UTF8.self))
    }
    // Others add the size to a digest, as in `0a1b2c3d4e5-200.jpg`.
    if (2...4).contains(stem.count - rest.count), rest.first == UInt8(ascii: "-"),
      rest.count >= 11, Words.isDigest(stem.dropLast(stem.count - rest.count + 1))
    {
      texts.append(String(decoding: rest.reversed(), as: UTF8.self))
    }
    // Some servers put a word beside the digest of the original, as in `sample_0a1b….jpg`.
    for digest in stem.split(whereSeparator: { !ASCII.isHexadecimalDigit($0) })
    where digest.count >= 24 && digest.count < stem.count {
      texts.append(String(decoding: digest, as: UTF8.self))
    }
    return texts
  }
}
