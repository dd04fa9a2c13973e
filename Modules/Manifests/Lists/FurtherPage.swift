import JSON

/// Finds the next page of a list in the members around it, in the forms that APIs use besides `next`: members with other
/// names, members of `links` or `meta`, and links with a relation. A value without input or output.
struct FurtherPage: Sendable {
  /// The members whose objects tell about pages.
  private static let containers: Set<String> = [
    "links", "_links", "link", "meta", "_meta", "metadata", "page", "pageInfo", "page_info",
    "paging", "pager", "pagination", "response_metadata", "cursors",
  ]
  /// The containers whose members are URLs.
  private static let linkContainers: Set<String> = ["links", "_links", "link"]
  private static let urlNames: Set<String> = [
    "next_url", "nextUrl", "nextURL", "next_uri", "nextUri", "next_href", "nextHref", "next_link",
    "nextLink", "@odata.nextLink", "odata.nextLink", "next_page_url", "nextPageUrl",
    "nextPageLink",
  ]
  /// The members that have the URL of the next page, or its number.
  private static let pageNames: Set<String> = ["next", "next_page", "nextPage"]
  private static let tokenNames: Set<String> = [
    "nextPageToken", "next_page_token", "nextToken", "next_token", "NextToken", "nextCursor",
    "next_cursor", "nextMarker", "next_marker", "NextMarker", "nextOffset", "next_offset",
    "continuationToken", "NextContinuationToken",
  ]
  private static let flagNames: Set<String> = [
    "has_more", "hasMore", "has_next", "hasNext", "hasNextPage", "has_next_page", "hasMorePages",
    "has_more_pages",
  ]
  /// In the place of a name: an array.
  private static let array = "[]"

  private var depth = 0
  /// The name of the current member of each open object, up to the deepest level that matters.
  private var names = Array(repeating: "", count: 5)
  private var relation = ""
  private var target = ""
  /// Whether the list has a plain `next`, which its reader handles.
  private var hasPlainNext = false
  private var url: String?
  /// The first member that tells of a further page without a URL.
  private var unread: String?

  /// Handles an event after the opening brace of the object, outside of the list.
  mutating func handle(_ event: JSONEvent) {
    switch event {
    case .key(let name):
      if depth < names.count { names[depth] = name }
    case .beginArray, .beginObject:
      if depth == 0, names[0] == "next" { hasPlainNext = true }
      depth &+= 1
      if depth < names.count { names[depth] = event == .beginArray ? Self.array : "" }
      (relation, target) = ("", "")
    case .endObject:
      if isLinkOfArray { endLink() }
      depth &-= 1
    case .endArray: depth &-= 1
    case .string(let text): if !text.isEmpty { value(text, isText: true) }
    case .number(let digits): if Double(digits) != 0 { value(digits, isText: false) }
    case .bool(true): flag()
    case .bool(false), .null: break
    }
  }

  /// Adds the next page, or the remark that it cannot be read.
  func finish(into collector: inout EntryCollector) {
    guard !hasPlainNext else { return }
    if let url {
      collector.items.append(.nextPage(url))
    } else if let unread, !collector.hasNextPage {
      collector.addRemark(
        "its \(Excerpt.quote(unread)) tells of a further page, which is not read: it is not the URL of one"
      )
    }
  }

  private mutating func value(_ text: String, isText: Bool) {
    guard depth < names.count else { return }
    let name = names[depth]
    if depth == 0, name == "next" {
      hasPlainNext = true
    } else if isLinkOfArray {
      if name == "rel" { relation = text }
      if name == "href" || name == "url" { target = text }
    } else if depth > 0, name == "href" || name == "url", isNextName(at: depth &- 1) {
      if isText { url = url ?? text }
    } else if areContainers(before: depth) {
      member(name, text, isText: isText)
    }
  }

  private mutating func member(_ name: String, _ text: String, isText: Bool) {
    if Self.urlNames.contains(name) || Self.pageNames.contains(name) {
      let isURL =
        Self.urlNames.contains(name) || depth > 0 && Self.linkContainers.contains(names[depth &- 1])
        || Self.isReference(text)
      if isText, isURL { url = url ?? text } else { unread = unread ?? name }
    } else if Self.tokenNames.contains(name) {
      unread = unread ?? name
    }
  }

  private mutating func flag() {
    guard depth < names.count, areContainers(before: depth) else { return }
    if Self.flagNames.contains(names[depth]) { unread = unread ?? names[depth] }
  }

  private mutating func endLink() {
    if !target.isEmpty, relation.split(separator: " ").contains("next") { url = url ?? target }
    (relation, target) = ("", "")
  }

  /// Whether the open object is an element of `links: [{"rel": "next", "href": URL}]`.
  private var isLinkOfArray: Bool {
    depth >= 2 && depth < names.count && names[depth &- 1] == Self.array
      && Self.linkContainers.contains(names[depth &- 2]) && areContainers(before: depth &- 2)
  }

  private func isNextName(at level: Int) -> Bool {
    (Self.pageNames.contains(names[level]) || Self.urlNames.contains(names[level]))
      && areContainers(before: level) && (level > 0 || names[level] != "next")
  }

  private func areContainers(before level: Int) -> Bool {
    names[..<level].allSatisfy(Self.containers.contains)
  }

  /// Whether the text can hardly be anything but a URL, absolute or relative to the server or the page.
  private static func isReference(_ text: String) -> Bool {
    BracketedURL.hasWebScheme(text[...]) || ["/", "?", "./", "../"].contains(where: text.hasPrefix)
  }
}
