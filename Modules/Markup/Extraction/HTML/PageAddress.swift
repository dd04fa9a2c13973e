import Models

/// Makes references of a page comparable.
struct PageAddress {
  /// The URL of the page; nil for a file.
  let page: HTTPURL?
  private(set) var base: HTTPURL?
  /// The parts of the page's URL, with which each link is compared; nil for a file.
  private let parts: PageParts?
  /// The site of the page or, for a file, of its base; nil without either.
  private var ownSite: String?

  init(_ url: String?) {
    page = url.flatMap { try? HTTPURL($0) }
    base = page
    parts = page.map { PageParts($0) }
    ownSite = page.map { Self.site($0.host) }
  }

  /// Applies the first `base` of the page.
  mutating func setBase(_ reference: String) {
    if let page {
      base = (try? page.resolving(reference)) ?? page
    } else {
      base = try? HTTPURL(reference)
      ownSite = base.map { Self.site($0.host) }
    }
  }

  /// Returns the canonical URL of a reference, or the reference itself if it cannot be resolved.
  func canonical(_ reference: String) -> String {
    if let base { return (try? base.resolving(reference))?.description ?? reference }
    return (try? HTTPURL(reference))?.description ?? reference
  }

  /// Whether the reference leads to a host of another site than that of the page. Two hosts of a site have the
  /// last two labels in common.
  func isExternal(_ reference: String) -> Bool {
    guard Reference.isAbsolute(reference) else { return false }
    guard let base = page ?? base, let url = try? base.resolving(reference) else { return true }
    return Self.site(url.host) != ownSite
  }

  /// Returns the relation of a linked page to this one. Without the URL of this page, a relative reference is to
  /// another page of the site.
  func relation(of reference: String) -> PageRelation {
    guard let page, let parts, let target = try? (base ?? page).resolving(reference) else {
      return isExternal(reference) ? .elsewhere : .other
    }
    return PageRelation(of: PageParts(target), to: parts)
  }

  /// Whether the reference leads to a page of the site whose URL differs from that of this page only in names of
  /// things; false for a file.
  func hasTemplateOfPage(_ reference: String) -> Bool {
    guard let page, let parts, let target = try? (base ?? page).resolving(reference) else {
      return false
    }
    return PageRelation.isOfTemplate(of: parts, PageParts(target))
  }

  /// Whether two references lead to the same site, which is not that of the page.
  func isSameOtherSite(_ reference: String, _ other: String) -> Bool {
    guard isExternal(reference), isExternal(other),
      let first = try? HTTPURL(canonical(reference)), let second = try? HTTPURL(canonical(other))
    else { return false }
    return Self.site(first.host) == Self.site(second.host)
  }

  /// Whether the reference leads to a page that continues this one; false for a file.
  func isContinued(at reference: String) -> Bool {
    guard let page, let next = try? (base ?? page).resolving(reference) else { return false }
    return PageContinuation(page).isContinued(by: PageContinuation(next))
  }

  /// The part of a host name that the hosts of a site have in common.
  static func site(_ host: String) -> String {
    let dot = UInt8(ascii: ".")
    let bytes = host.utf8
    // Pages have many links, and almost all hosts have labels that are not empty.
    if let last = bytes.lastIndex(of: dot), let first = bytes[..<last].lastIndex(of: dot),
      bytes.index(after: first) < last, bytes.index(after: last) < bytes.endIndex
    {
      return String(host[bytes.index(after: first)...])
    }
    return host.split(separator: ".").suffix(2).joined(separator: ".")
  }
}
