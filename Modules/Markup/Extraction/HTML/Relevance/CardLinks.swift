/// The cards of other pages: articles and items of lists that have an image, and a heading with a link to a
/// page of the template of this one. A program makes the whole card a link, so that none is around its
/// image.
struct CardLinks: Sendable {
  /// The relations of the linked pages by the numbers of the articles and items; nil for one with several
  /// links.
  private var relations: [Int: PageRelation?] = [:]

  private static let headings: Set<String> = ["h2", "h3", "h4", "h5", "h6"]

  /// The number of elements between an image and the card, and that of cards from which they are such.
  private static let distance = 6
  private static let least = 2

  /// Records an element that ends, if it is a link in a heading or a heading in a link.
  /// - Parameter open: The elements around it, the outermost first.
  mutating func end(_ element: PageElement, in open: [PageElement]) {
    guard let link = element.link, Self.isOfTemplate(link.relation),
      Self.headings.contains(element.name)
        || element.ownLink != nil
          && open.suffix(2).map(\.name).contains(where: Self.headings.contains),
      let card = open.last(where: { $0.name == "article" || $0.name == "li" }),
      !card.hasPageHeading
    else { return }
    if let known = relations[card.number] {
      if known != link.relation { relations[card.number] = .some(nil) }
    } else {
      relations[card.number] = link.relation
    }
  }

  private static func isOfTemplate(_ relation: PageRelation) -> Bool {
    relation == .similar || relation == .possiblySimilar
  }

  /// Makes the only image of each card one that leads to the page of the card.
  func link(_ images: inout [PageImage], in tree: ElementTree) {
    guard relations.count >= Self.least else { return }
    var cards: [Int: [Int]] = [:]
    for index in images.indices where !images[index].isInNoscript {
      if let card = card(around: images[index].context.element, in: tree) {
        cards[card, default: []].append(index)
      }
    }
    for (card, indices) in cards {
      guard indices.count == 1, let relation = relations[card] ?? nil,
        images[indices[0]].context.isWithoutLink
      else { continue }
      images[indices[0]].context.link = relation
      images[indices[0]].context.isInCard = true
    }
  }

  /// Returns the number of the closest card around an element; nil if there is none.
  private func card(around element: Int, in tree: ElementTree) -> Int? {
    var element = element
    for _ in 0..<Self.distance {
      guard element > 0 else { return nil }
      if relations[element] != nil { return element }
      element = tree.parent(of: element)
    }
    return nil
  }
}
