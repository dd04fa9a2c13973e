/// One URL of an image, and what the page says about its size.
struct ImageCandidate: Equatable {
  /// The kind of evidence for the size, weakest first.
  enum Source: Int, Comparable {
    /// The version that the page shows.
    case shown
    /// An attribute that names the full size.
    case full
    /// A link around the image.
    case link

    static func < (a: Source, b: Source) -> Bool { a.rawValue < b.rawValue }
  }

  enum Width: Equatable {
    /// The page states the width in pixels.
    case stated(Int)
    /// A part of the URL looks like a width in pixels.
    case hinted(Int)
    case unknown

    var pixels: Int? {
      switch self {
      case .stated(let pixels), .hinted(let pixels): pixels
      case .unknown: nil
      }
    }
  }

  var url: String
  var source = Source.shown
  var width = Width.unknown
  /// The pixel density for which the version is made; compared if no width is known.
  var density = 1.0
  /// The policy of the element that names the URL, for the `Referer` of its request; nil for that of the page.
  var referrerPolicy: String?

  /// Returns the attribute of an element that states a policy for the `Referer` (HTML Standard, "referrer policy
  /// attributes"); nil if it is absent, or longer than any policy.
  static func referrerPolicy(of attributes: AttributeMap) -> String? {
    attributes["referrerpolicy"].flatMap { $0.isEmpty || $0.utf8.count > 40 ? nil : $0 }
  }

  /// Whether this candidate is probably larger than the other. Of equal ones the earlier is kept.
  func isLarger(than other: ImageCandidate) -> Bool {
    if source == .link || other.source == .link { return source > other.source }
    if let mine = width.pixels, let others = other.width.pixels, mine != others {
      return mine > others
    }
    guard source == other.source else { return source > other.source }
    // A URL without a size usually names the original, in contrast to one with a size in it.
    switch (width, other.width) {
    case (.stated, .unknown): return true
    case (.unknown, .hinted): return !isReduced(unlike: other)
    case (.hinted, .unknown): return other.isReduced(unlike: self)
    case (.unknown, .unknown):
      if density != other.density { return density > other.density }
      guard let rank = ImageVersion(url).rank, let others = ImageVersion(other.url).rank else {
        return false
      }
      return rank > others
    default: return false
    }
  }

  /// Whether the URL says in words or in an unknown way that the version is smaller, and that of the other one
  /// does not.
  private func isReduced(unlike other: ImageCandidate) -> Bool {
    let (mine, others) = (ImageVersion(url), ImageVersion(other.url))
    return mine.isReduced && !others.isReduced || mine.hasUnknownOptions
  }

  /// Returns the largest of some candidates, of equal ones the first; nil if there is none.
  static func largest(of candidates: [ImageCandidate]) -> ImageCandidate? {
    let candidates = withoutProxies(candidates)
    guard var best = candidates.first else { return nil }
    for candidate in candidates.dropFirst() where candidate.isLarger(than: best) {
      best = candidate
    }
    return best
  }

  /// Returns the candidates without those that a program makes of another one, whose URL they have in
  /// theirs.
  private static func withoutProxies(_ candidates: [ImageCandidate]) -> [ImageCandidate] {
    guard candidates.count > 1, candidates.contains(where: { $0.url.utf8.contains(0x3f) }) else {
      return candidates
    }
    var known: Set<String>?
    return candidates.filter { candidate in
      guard let inner = URLShape(candidate.url).innerURL else { return true }
      let urls = known ?? Set(candidates.map { $0.url.lowercased() })
      known = urls
      return !urls.contains(inner)
    }
  }
}
