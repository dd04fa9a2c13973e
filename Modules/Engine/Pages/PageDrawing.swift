import LibraryAPI
import Models
import Rendering
import SystemCalls
import Threading

/// The images of one page that are made when a user requests them: those of a document's page, or the rendition of an
/// image that browsers do not show.
struct PageDrawing: Sendable {
  /// The images to make.
  enum Target: Sendable {
    /// The files that the page names.
    case page(Page)
    case browserImage(BrowserImage)
    /// The thumbnail of an image of its own.
    case thumbnail(name: String)
  }

  let maker: PageMaker
  let target: Target
  /// The path of the file that contains the page.
  let source: String
  /// The original, if it is the source; nil for an image that was extracted from an archive, whose name contains the
  /// hash of the archive.
  let original: StoredFile?

  /// The name of the first image, relative to the renditions folder. It contains a hash of the original's content.
  var name: String {
    switch target {
    case .page(let page): page.file ?? ""
    case .browserImage(let image): image.names[0]
    case .thumbnail(let name): name
    }
  }

  /// The names that the images may have.
  var names: [String] {
    switch target {
    case .page(let page): page.fileNames
    case .browserImage(let image): image.names
    case .thumbnail(let name): [name]
    }
  }

  /// Whether the images exist, and are whole. Blocks.
  /// - Parameter check: The check of the renditions in `names`.
  func isDone(_ check: RenditionCheck) -> Bool {
    switch target {
    case .page, .thumbnail: names.allSatisfy { check.isWhole($0) }
    case .browserImage: names.contains { check.isWhole($0) }
    }
  }

  /// Makes the images.
  /// - Parameter isCurrent: Returns whether the library still has the original whose hash the images' names contain.
  ///   It is asked after the page was rendered.
  /// - Returns: The page as it was drawn if it is one that names its files; nil for other images.
  /// - Throws: `RenderError`; `LibraryError` with the code `source` if the original was replaced meanwhile.
  @concurrent
  func run(isCurrent: @Sendable () async throws -> Bool) async throws -> Page? {
    let before = try await identity()
    let result =
      switch target {
      case .page(let page): try await maker.rendered(page, source, side: side)
      case .browserImage: try await maker.rendered(source, sides: [BrowserImage.maximumSide])
      case .thumbnail:
        try await maker.rendered(source, sides: [maker.settings.rendering.thumbnailSide])
      }
    // The worker has opened the file by its path. An original that is replaced has another inode before its row
    // changes, so that an image of the wrong original never gets this name.
    guard try await isCurrent(), try await identity() == before else {
      throw LibraryError(.source, "the file was replaced while it was rendered; try again")
    }
    try await maker.store(result) { place, rendition in
      switch target {
      case .page(let page): page.fileNames[place]
      case .browserImage(let image): image.name(rendition.format)
      case .thumbnail(let name): name
      }
    }
    guard case .page(let page) = target else { return nil }
    return Page(drawn: page, result)
  }

  /// The maximum width and height of a page's image in pixels: a page of a TIFF file is shown in full size, as is its
  /// first one.
  private var side: Int {
    original?.format.kind == .image
      ? BrowserImage.maximumSide : maker.settings.rendering.pageSide
  }

  /// The file that a path leads to. Its number of links may change without its content.
  private struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: Int64
  }

  private func identity() async throws -> Identity {
    try await maker.writing.run {
      let status = try maker.layout.folder.status(source)
      return Identity(
        device: status.device, inode: status.inode, size: status.size, modified: status.modified)
    }
  }
}
