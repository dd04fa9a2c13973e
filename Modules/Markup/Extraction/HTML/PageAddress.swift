import Models

/// Makes references of a page comparable.
struct PageAddress {
  /// The URL of the page; nil for a file.
  let page: HTTPURL?
  private(set) var base: HTTPURL?

  init(_ url: String?) {
    page = url.flatMap { try? HTTPURL($0) }
    base = page
  }

  /// Applies the first `base` of the page.
  mutating func setBase(_ reference: String) {
    if let page {
      base = (try? page.resolving(reference)) ?? page
    } else {
      base = try? HTTPURL(reference)
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
    return Self.site(url.host) != Self.site(base.host)
  }

  /// Returns the relation of a linked page to this one. Without the URL of this page, a relative reference is to
  /// another page of the site.
  func relation(of reference: String) -> PageRelation {
    guard let page, let target = try? (base ?? page).resolving(reference) else {
      return isExternal(reference) ? .elsewhere : .other
    }
    return PageRelation(of: target, to: page)
  }

  /// Whether the reference leads to a page of the site whose URL differs from that of this page only in names of
  /// things; false for a file.
  func hasTemplateOfPage(_ reference: String) -> Bool {
    guard let page, let target = try? (base ?? page).resolving(reference) else { return false }
    return PageRelation.isOfTemplate(of: page, target)
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
    host.split(separator: ".").suffix(2).joined(separator: ".")
  }
}
