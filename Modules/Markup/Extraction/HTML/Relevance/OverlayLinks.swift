/// The links without contents, which styles spread over the element around them, so that a click on anything in the
/// element follows the link.
struct OverlayLinks: Sendable {
  /// The relations of the linked pages by the numbers of the elements around the links.
  private var relations: [Int: PageRelation] = [:]
  /// Whether the link that began last has neither text nor an element so far.
  private var isEmpty = false

  mutating func begin() { isEmpty = true }

  mutating func addText(_ characters: String) {
    if isEmpty, characters.utf8.contains(where: { $0 > 0x20 }) { isEmpty = false }
  }

  /// An element in the link, such as the symbol of a button, is contents too.
  mutating func addElement() { isEmpty = false }

  /// Records a link that ends, if it is empty.
  mutating func end(_ link: PageLink, of element: PageElement, in parent: PageElement?) {
    if isEmpty, let parent, link.relation.isOfSite { relations[parent.number] = link.relation }
    isEmpty = false
  }

  /// Returns the relation of the page to which a link over an element leads; nil if there is none over it or one
  /// of the next elements around it.
  func relation(over element: Int, in tree: ElementTree) -> PageRelation? {
    guard !relations.isEmpty else { return nil }
    var element = element
    for _ in 0..<4 {
      guard element > 0 else { return nil }
      if let relation = relations[element] { return relation }
      element = tree.parent(of: element)
    }
    return nil
  }
}
