/// A series of images that a script names, and that are contents of the page: the other images of a slide show that
/// the page begins with, or all images of a page that shows none of its own.
struct NamedSeries {
  let images: [PageImage]
  /// Whether the page itself shows none of the images, but at most ways to other pages.
  private let isAlone: Bool

  /// - Parameters:
  ///   - urls: The URLs of the series.
  ///   - shown: The images of the page.
  ///   - key: Returns the text by which versions of one image are recognized.
  /// - Returns: nil unless the series is contents.
  init?(
    _ urls: [String], _ shown: [PageImage], _ relevance: ImageRelevance, key: (String) -> String
  ) {
    guard urls.count >= 3 else { return nil }
    let keys = Set(urls.map(key))
    func isInSeries(_ image: PageImage) -> Bool {
      keys.contains(key(image.best.url)) || image.versions.contains { keys.contains(key($0)) }
    }
    if relevance.ownCount == 0 {
      // Previews of pages of the same template are not of images of this one.
      let previews = shown.count {
        $0.omission == .none && $0.context.isWay && $0.context.link != .similar
      }
      // As many previews as images are probably smaller versions of these. A series with previews of other pages is
      // contents only if the page names one of these previews as its own image.
      guard previews != urls.count,
        !shown.contains(where: isInSeries)
          || shown.contains(where: { $0.representsPage && isInSeries($0) })
      else { return nil }
      isAlone = true
    } else {
      guard shown.contains(where: { $0.isMain && isInSeries($0) }) else { return nil }
      isAlone = false
    }
    images = urls.map {
      PageImage(
        best: ImageCandidate(url: $0, source: .full), versions: [$0], title: nil, omission: .none)
    }
  }

  /// Leaves out the ways to other pages beside a series that is all contents of the page, but for those of
  /// which the page names a larger version.
  func omitPreviews(of shown: inout [PageImage]) {
    guard isAlone else { return }
    for index in shown.indices where shown[index].context.isWay {
      if shown[index].best.source == .shown {
        shown[index].omission = max(shown[index].omission, .byPlace)
      } else if shown[index].omission == .byPlace {
        shown[index].omission = .none
      }
    }
  }
}
