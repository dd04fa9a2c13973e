/// One reason to regard an image as a part of the contents of a page, or not to.
///
/// The weights are added. An image whose sum is at most `ImageEvidence.limit` is left out, unless the page has no
/// other images.
enum ImageEvidence: CaseIterable, Hashable {
  // MARK: For the image

  /// A link around the image leads to a larger version of it.
  case linksToLargerVersion
  /// The page names the image, or a version of it, as its own: for social networks or for search engines.
  case representsPage
  /// A link around the image leads to a page below this one.
  case linksToPartOfPage
  /// The linked page and the image have an identifier in common.
  case sharesIdentifierWithLink
  /// The image is in a paragraph or a figure.
  case isInText
  /// The page has many previews of other pages and at most one image that is none, so the previews are its
  /// contents.
  case isInListing

  // MARK: Against the image

  /// A link around the image leads to the first page of the site, as that of a logo does.
  case linksToHome
  /// A link around the image leads to a page of the same template as this one, as that of a recommendation
  /// does.
  case linksToSimilarPage
  /// The same, for URLs without the number or long name of a thing.
  case linksToPossiblySimilarPage
  /// A link around the image leads to another page of the site.
  case linksToOtherPage
  /// A link around the image leads to another site.
  case linksElsewhere
  /// The image is on the site that the link around it leads to: a preview of that site.
  case comesFromLinkedSite
  /// A link around the image leads to an address of electronic mail or the like.
  case linksToContact
  /// The image is one of few in links to other sites, and no main image is.
  case leadsElsewhereAlone
  /// The image leads nowhere and precedes the previews of a listing, or main images that all lead to pages.
  case leadsNowhereBeforeListing
  /// The image is of another folder and host than the previews of a listing, and leads to a page of another form.
  case isUnlikePreviews
  /// Regions of the image are links.
  case isMap
  /// The image has no link of its own, and is the only one of a card whose heading leads to another page.
  case isInCard
  /// At least three images in links to other pages have the same elements around them.
  case isRepeatedPreview
  /// The image follows the last one of the contents, and is outside of the element with them.
  case followsContents
  /// The page names one of its own images as its own, and this one leads to another page.
  case leadsAwayFromNamedImage
  /// The main images lead to larger versions, and this one leads to a page.
  case leadsToPageUnlikeMainImages
  /// The main images are in the main element of the page or in an article, and this one is not.
  case isOutsideMainElement
  /// The same, and a style shows the image behind an element.
  case isBackgroundOutside
  /// At least three main images are in one folder, digits and digests apart, and this one is not.
  case isInOtherFolder
  /// At least three main images are at one host, digits apart, and this one is not.
  case isOnOtherHost
  /// At least three main images lead to larger versions, and this one leads nowhere.
  case lacksLargerVersion
  /// At least three main images are photographs by their formats, and this one is a GIF or SVG outside of
  /// the element with them.
  case isDrawingOutside
  /// The same for a PNG without a stated size.
  case isPossibleDrawingOutside
  /// The main images are made by one program, and this one is not, and outside of the element with them.
  case isOfOtherProgram
  /// The image is in a button outside of the element with the main images.
  case isInButtonOutside
  /// The image precedes the contents, is outside of the element with them, and has the form of a banner.
  case isBannerBeforeContents
  /// The image is a GIF or SVG in a link to a page, as a button is.
  case isDrawingInLink
  /// The page shows the image several times.
  case isRepeated
  /// The page shows the image at most 200 pixels large.
  case isNarrow
  /// The page shows the image at most 110 pixels large.
  case isSmall
  /// The same, for an image of the page's own beside larger ones, as a portrait of an author is.
  case isSmallBesideLarger
  /// The image itself has the name of a banner.
  case isNamedBanner

  /// The sum from which downwards an image is left out.
  static let limit = -4

  var weight: Int {
    switch self {
    case .linksToLargerVersion, .representsPage, .isInListing: 4
    case .linksToPartOfPage, .sharesIdentifierWithLink, .isInText: 2
    case .isPossibleDrawingOutside, .isRepeatedPreview, .isInOtherFolder, .lacksLargerVersion: -1
    case .leadsNowhereBeforeListing, .isBackgroundOutside, .isInCard: -2
    case .linksToOtherPage, .linksElsewhere, .followsContents, .isNarrow, .isMap: -2
    case .leadsAwayFromNamedImage, .isNamedBanner, .isDrawingInLink, .isRepeated: -2
    case .isOutsideMainElement, .isOnOtherHost, .isDrawingOutside: -2
    case .isOfOtherProgram, .isInButtonOutside, .leadsElsewhereAlone: -2
    case .linksToPossiblySimilarPage, .isSmall, .leadsToPageUnlikeMainImages: -3
    case .isBannerBeforeContents, .isUnlikePreviews: -3
    case .linksToSimilarPage, .comesFromLinkedSite, .linksToContact, .isSmallBesideLarger: -4
    case .linksToHome: -6
    }
  }
}
