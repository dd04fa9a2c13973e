/// Makes the elements of a page from their attributes and the elements around them.
struct ElementReader: Sendable {
  /// The names of elements that were read before, because most pages repeat them.
  private var knownNames: [String: ElementNames] = [:]

  /// Returns the element with what it inherits and what its own name and attributes say.
  ///
  /// - Parameter open: The elements around it, the outermost first.
  mutating func child(
    _ name: String, _ attributes: AttributeMap, number: Int, in open: [PageElement]
  ) -> PageElement {
    var element = PageElement(name: name)
    element.number = number
    if let parent = open.last {
      element.omission = parent.omission
      element.isInContents = parent.isInContents
      element.isInNoscript = parent.isInNoscript
      element.isInNavigation = parent.isInNavigation
      element.isInFigure = parent.isInFigure
      element.isInLinkedFigure = parent.isInLinkedFigure
      element.isInParagraph = parent.isInParagraph
      element.isInButton = parent.isInButton
      element.link = parent.link
      element.fullSize = parent.fullSize
      element.distance = parent.distance + 1
      if element.distance <= 2 { element.ofChild = parent.ofChild }
    }
    let names = names(of: name, attributes)
    // The name of an element with all contents says nothing about one image.
    if names.ofChild != .none, !["article", "main", "body", "html"].contains(name) {
      element.ofChild = names.ofChild
      element.distance = 0
    }
    element.ofSelf = names.ofImage
    element.isNamedBanner = names.isSiteHeader
    let role = attributes["role"]
    if name == "main" || role == "main" {
      element.omission = .none
      element.isInNavigation = false
      element.isInContents = true
    } else if name != "html", name != "body" {
      element.omission = max(element.omission, names.ofDescendants)
      if names.isNavigation { element.isInNavigation = true }
    }
    if name == "article" {
      // Some styles name columns by their places, and have the contents in one of them.
      if element.omission == .byPlace, let place = open.first(where: { $0.omission == .byPlace }),
        place.hasPageHeading, place.isNamedPlace
      {
        element.omission = .none
      }
      element.isInContents = true
    }
    if Self.isPlace(name, role: role, isInContents: element.isInContents)
      || names.isSiteHeader && !element.isInContents && name != "body" && name != "html"
    {
      element.omission = max(element.omission, .byPlace)
    }
    if name != "img", name != "span" || !ImageAttributes.isPlaceholder(attributes),
      let url = ImageAttributes.fullSize(attributes, ofLink: name == "a")
    {
      element.fullSize = url
    }
    return element
  }

  /// Whether the element holds no contents by its meaning (HTML Standard, sections 4.3; WAI-ARIA
  /// landmarks).
  private static func isPlace(_ name: String, role: String?, isInContents: Bool) -> Bool {
    switch name {
    case "nav", "footer": return true
    // Another role, such as `region`, replaces the meaning of the element (ARIA in HTML).
    case "aside" where role == nil: return true
    case "header": return !isInContents
    default: break
    }
    switch role {
    case "navigation", "contentinfo", "complementary", "search": return true
    case "banner": return !isInContents
    default: return false
    }
  }

  /// Whether an element is one that a label names as a part of the page.
  private static func isSection(_ name: String) -> Bool {
    ["section", "div", "ul", "ol", "aside"].contains(name)
  }

  /// The maximum number of names that are remembered.
  private static let knownNameLimit = 10_000

  private mutating func names(of name: String, _ attributes: AttributeMap) -> ElementNames {
    var text = ""
    for attribute in attributes.all {
      switch attribute.name {
      case "class", "id", "data-test-id", "data-testid", "data-elementor-type", "data-role",
        "data-hook", "data-component", "data-module", "data-section", "data-area", "data-block":
        text += text.isEmpty ? attribute.value : " " + attribute.value
      case "aria-label" where Self.isSection(name) && attribute.value.utf8.count <= 40:
        // Of a sentence only the words that name a place without contents count.
        let words = Words.split(attribute.value)
        for pair in zip(words, words.dropFirst()).map({ $0 + " " + $1 })
        where OmittedWords.placePairs.contains(pair) {
          text += " " + pair.replacing(" ", with: "-")
        }
      case "rel" where name == "a": text += " " + attribute.value
      default: break
      }
    }
    guard !text.isEmpty else { return ElementNames() }
    if let known = knownNames[text] { return known }
    let names = ElementNames(text.prefix(2_000))
    if knownNames.count < Self.knownNameLimit { knownNames[text] = names }
    return names
  }
}
