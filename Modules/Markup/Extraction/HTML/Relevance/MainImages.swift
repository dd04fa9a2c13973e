/// The properties that the main images of a page have in common.
struct MainImages {
  var haveLargerVersions = false
  var areInMainElement = false
  /// The folder of at least three images; nil if they are in several.
  var folder: [UInt8]?
  /// One of at least three images at one host; nil if they are at several.
  var ofHost: ImageRelevance.Subject?
  /// The program that makes all of the images.
  var program: [UInt8]?
  var areSeveral = false
  /// Whether all of the images are in links to pages.
  var leadToPages = false
  /// Whether at least a half of the images are of formats that are rare for photographs.
  var areDrawings = false
  var arePossibleDrawings = false
  var areBackgrounds = false

  init(_ images: [ImageRelevance.Subject]) {
    guard let first = images.first else { return }
    haveLargerVersions = images.allSatisfy(\.context.hasLargerVersion)
    areInMainElement = images.allSatisfy(\.context.isInMainElement)
    areDrawings = 2 * images.count(where: \.context.isDrawing) >= images.count
    arePossibleDrawings = images.contains(where: \.context.isPossibleDrawing)
    areBackgrounds = images.allSatisfy(\.context.isBackground)
    areSeveral = images.count > 2
    leadToPages = images.allSatisfy { $0.context.link != nil && !$0.context.hasLargerVersion }
    if images.allSatisfy({ $0.program == first.program }) { program = first.program }
    guard areSeveral else { return }
    if images.allSatisfy({ $0.folder == first.folder }) { folder = first.folder }
    if images.allSatisfy({ $0.host == first.host }) { ofHost = first }
  }
}
