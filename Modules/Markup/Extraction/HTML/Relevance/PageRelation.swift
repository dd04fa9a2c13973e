import Models

/// The relation of a linked page to the page that links to it, as far as their URLs tell.
enum PageRelation: Equatable, Sendable, CaseIterable {
  /// The same page, or a place on it.
  case itself
  /// The first page of the same site.
  case home
  /// A page below this one, such as `/trip/3/` of `/trip/`, or a page about the linked file.
  case part
  /// A page of the same template: the URLs differ only in numbers and in long names.
  case similar
  /// A page whose URL has the same form, but no number or long name by which a template can be told.
  case possiblySimilar
  /// Another page of the same site.
  case other
  /// A page of another site.
  case elsewhere
  /// No page, but an address such as that of `mailto:`.
  case contact

  /// Whether the linked page is another one of the site.
  var isOfSite: Bool {
    switch self {
    case .part, .similar, .possiblySimilar, .other: true
    case .itself, .home, .elsewhere, .contact: false
    }
  }

  /// - Parameters:
  ///   - target: The linked page.
  ///   - page: The page with the link.
  init(of target: PageParts, to page: PageParts) {
    self = Self.relation(of: target, to: page)
  }

  /// - Parameter address: A reference that is not to a resource of the Web.
  /// - Returns: nil unless the reference is to an address for messages or calls.
  init?(ofAddress address: String) {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    guard ["mailto", "tel", "sms"].contains(scheme) else { return nil }
    self = .contact
  }

  /// Whether the URLs of two pages of a site differ only in parts of the path that name things.
  static func isOfTemplate(of page: PageParts, _ target: PageParts) -> Bool {
    guard page.site == target.site, page.segments.count == target.segments.count,
      page.segments != target.segments
    else { return false }
    return zip(page.segments, target.segments).allSatisfy { mine, theirs in
      mine == theirs || PageParts.namesThing(mine) && PageParts.namesThing(theirs)
    }
  }

  private static func relation(of target: PageParts, to page: PageParts) -> PageRelation {
    if target.site != page.site { return .elsewhere }
    if target.isSamePath(as: page), target.hasAll(of: page), page.hasAll(of: target) {
      return .itself
    }
    if target.shape.isPageAboutFile { return .part }
    if target.isHome { return .home }
    if target.isPart(of: page) { return .part }
    return target.similarity(to: page) ?? .other
  }
}

/// The parts of a URL by which the templates of pages are compared.
struct PageParts {
  typealias Bytes = URLShape.Bytes

  let shape: URLShape
  let site: String
  /// The segments of the path, and those of a query without names, such as `?/12/category/7`.
  let segments: [Bytes]
  let parameters: [(name: String, value: Bytes)]

  init(_ url: HTTPURL) {
    shape = URLShape(url.description)
    site = PageAddress.site(url.host)
    let query = shape.query
    if query.first == UInt8(ascii: "/") {
      segments = shape.segments + query.split(separator: UInt8(ascii: "/"))
      parameters = []
    } else {
      segments = shape.segments
      parameters = shape.parameters
    }
  }

  var isHome: Bool {
    guard parameters.isEmpty else { return false }
    return segments.isEmpty || segments.count == 1 && (isIndex || isLanguage)
  }

  /// Whether the first folder has the form of the code of a language, such as `en`.
  private var isLanguage: Bool { segments[0].count == 2 && segments[0].allSatisfy(ASCII.isLetter) }

  private var isIndex: Bool {
    shape.stem.elementsEqual("index".utf8) || shape.stem.elementsEqual("default".utf8)
  }

  func isSamePath(as other: PageParts) -> Bool { segments == other.segments }

  /// Whether this URL has all parameters of the other one, with the same values.
  func hasAll(of other: PageParts) -> Bool {
    other.parameters.allSatisfy { theirs in
      parameters.contains { $0.name == theirs.name && $0.value == theirs.value }
    }
  }

  func isPart(of page: PageParts) -> Bool {
    if isSamePath(as: page) {
      return parameters.count > page.parameters.count && !page.parameters.isEmpty
        && hasAll(of: page)
    }
    if page.isHome { return true }
    // The folder of an index, of `trip.html` the folder `trip`, or else the path itself.
    var base = page.segments
    if page.isIndex {
      base.removeLast()
    } else if !page.shape.fileExtension.isEmpty, page.segments.count == page.shape.segments.count,
      !base.isEmpty
    {
      base[base.count - 1] = page.shape.stem
    }
    return !base.isEmpty && segments.count > base.count && segments.starts(with: base)
  }

  /// Returns whether the URLs have the same form; nil if they do not.
  func similarity(to page: PageParts) -> PageRelation? {
    guard segments.count == page.segments.count, !segments.isEmpty, isIndex == page.isIndex,
      shape.fileExtension == page.shape.fileExtension || shape.fileExtension.isEmpty
        || page.shape.fileExtension.isEmpty
    else { return nil }
    let hasParameters = page.parameters.allSatisfy { own in
      parameters.contains { $0.name == own.name }
    }
    // Without the parameters of this page, such as those of a search, a path with the name of a thing is compared.
    guard hasParameters || parameters.isEmpty && !isSamePath(as: page) else { return nil }
    var (isEqualSomewhere, isDistinct) = (false, false)
    for (mine, theirs) in zip(segments, page.segments) {
      if mine == theirs {
        isEqualSomewhere = true
      } else if Self.namesThing(mine), Self.namesThing(theirs) {
        isDistinct = true
      }
    }
    if isSamePath(as: page) {
      // Only values that are numbers distinguish pages of a template.
      for own in page.parameters {
        guard let value = parameters.first(where: { $0.name == own.name })?.value else { continue }
        if value == own.value { continue }
        guard Self.namesThing(value), Self.namesThing(own.value) else { return nil }
        isDistinct = true
      }
      return isDistinct ? .similar : nil
    }
    guard segments.last != page.segments.last || isDistinct else { return nil }
    if isDistinct {
      return isEqualSomewhere || segments.count == 1 || allNamesMatch(page) ? .similar : nil
    }
    return hasParameters && (isEqualSomewhere || segments.count == 1) ? .possiblySimilar : nil
  }

  /// Whether each two segments name things, or begin with the same sign, as `@ann` and `@ben` do.
  private func allNamesMatch(_ page: PageParts) -> Bool {
    zip(segments, page.segments).allSatisfy { mine, theirs in
      Self.namesThing(mine) && Self.namesThing(theirs)
        || mine.first == theirs.first && mine.first.map { !ASCII.isLetter($0) } == true
    }
  }

  /// Whether a part of a URL looks like the number or the title of one thing rather than like a word: it has a
  /// digit, or at least three words.
  static func namesThing(_ part: Bytes) -> Bool {
    part.contains(where: ASCII.isDigit)
      || part.split {
        $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "+")
      }
      .count >= 3
  }
}
