/// The facts about an image that its attributes and the elements around it state.
struct ImageContext: Equatable {
  /// The relation of the linked page; nil if no link is around the image, or one to a larger version.
  var link: PageRelation?
  /// Whether a link leads to a larger version.
  var hasLargerVersion = false
  /// Whether the image is that of a card whose heading leads to another page.
  var isInCard = false
  /// Whether the link and the image have an identifier in common.
  var sharesIdentifier = false
  /// Whether the image is on the other site that the link leads to, or was made of one there.
  var isFromLinkedSite = false
  /// Whether the URL of the linked page differs from that of this one only in names of things.
  var leadsToSameTemplate = false
  /// The number of parts of the path of the linked page.
  var linkDepth = 0
  /// Whether the image is on another site than the page.
  var isOnOtherSite = false
  /// Whether the image is in a paragraph or a figure.
  var isInText = false
  var isInNoscript = false
  /// Whether the image is in the main element of the page or in an article.
  var isInMainElement = false
  /// Whether a style shows the image behind an element.
  var isBackground = false
  /// Whether the image is at least three times as wide as high, as far as the page states.
  var isWide = false
  /// Whether the image is of a format that is rare for photographs.
  var isDrawing = false
  /// Whether the image is of a format that drawings have more often than photographs.
  var isPossibleDrawing = false
  /// Whether the image is in a link and of a format that is rare for photographs.
  var isDrawingInLink = false
  var isMap = false
  var isInButton = false
  /// Whether the page states that both sides of the image have at least 400 pixels.
  var statesLargeSize = false
  var isNamedBanner = false
  /// The larger side in pixels at which the image is shown; nil if unknown.
  var shownSide: Int?
  /// The names of the closest elements around the image.
  var path = ""
  /// The number of the element that holds the image, in the order of their beginnings.
  var element = 0

  /// Whether the image leads to another page of the site, as a preview does.
  var isPreview: Bool {
    switch link {
    case .similar, .possiblySimilar: true
    case .other: !sharesIdentifier
    case nil, .itself, .home, .part, .elsewhere, .contact: false
    }
  }

  /// Whether the image is one of the page itself rather than a way to another one.
  var isOwn: Bool {
    switch link {
    case nil, .itself, .part: true
    case .other, .elsewhere: sharesIdentifier
    case .home, .similar, .possiblySimilar, .contact: false
    }
  }

  /// Whether the image only leads elsewhere.
  var isWay: Bool { link != nil && !isOwn }

  var isWithoutLink: Bool { link == nil && !hasLargerVersion }

  /// Whether the image may be a button of the site: shown small, or of a format that is rare for
  /// photographs without a size.
  var mayBeButton: Bool { isNarrow || isPossibleDrawing && shownSide == nil }

  var isSmall: Bool { (shownSide ?? .max) <= 110 }
  var isNarrow: Bool { (shownSide ?? .max) <= 200 }
}
