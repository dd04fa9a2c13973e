/// An open element of a page, with what it passes on to the elements in it.
struct PageElement {
  let name: String
  /// The omission of all images in the element.
  var omission = Omission.none
  /// The omission of the element if it is an image, by its own name.
  var ofSelf = Omission.none
  /// The omission of an image that the element holds directly, or through at most one other element.
  var ofChild = Omission.none
  /// The number of elements up to the one that set `ofChild`.
  var distance = 0
  var isInContents = false
  /// Whether the element has the name of a banner or of a header.
  var isNamedBanner = false
  var isInNoscript = false
  /// Whether the element is in one with navigation, as far as names tell.
  var isInNavigation = false
  var isInParagraph = false
  /// The number of the element in the tree of the page.
  var number = 0
  var isInFigure = false
  /// Whether a link is around the figure, as around the card of another page.
  var isInLinkedFigure = false
  var isInButton = false
  /// Whether the element has a heading of the first level, which is not in a link.
  var hasPageHeading = false
  /// The link that the element is.
  var ownLink: PageLink?
  /// The link around the element.
  var link: PageLink?
  /// The larger version that an element around the image names.
  var fullSize: String?
  /// The index of the first image in the figure, if this element is one.
  var firstImage: Int?

  /// Whether the element is a script with linked data.
  var isLinkedData = false
  /// The images that a program is to put into the element; nil if there are none.
  var deferred: DeferredImages?
  /// The number of images before the element.
  var imageCount = 0

  /// Whether the element is one of a place by its name only.
  var isNamedPlace: Bool { !["nav", "aside", "header", "footer"].contains(name) }

  /// The omission of the element as an image.
  func ofImage(isLarge: Bool) -> Omission { isLarge ? ofChild : max(ofChild, ofSelf) }
}

/// A link of a page.
struct PageLink: Equatable {
  var url: String
  var title: String? = nil
  /// The policy for the `Referer` of its request; nil for that of the page.
  var referrerPolicy: String? = nil
  var isExternal: Bool
  /// Whether a click shows a larger version of the image.
  var isLightbox: Bool
  var isAdvertisement: Bool
  var relation: PageRelation

  /// The image file to which the link leads.
  var image: ImageCandidate {
    ImageCandidate(url: url, source: .link, referrerPolicy: referrerPolicy)
  }

  /// The identifiers in the URL, its fragment included: scripts read the name of the image to show there.
  var identifiers: Set<URLShape.Bytes> {
    let fragment = url.utf8.firstIndex(of: UInt8(ascii: "#")).map { url[$0...].dropFirst() } ?? ""
    return URLShape(url).identifiers.union(URLShape("?" + fragment).identifiers)
  }
}
