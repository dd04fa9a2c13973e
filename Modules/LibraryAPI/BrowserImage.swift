public import Models

/// The rendition that shows a page in browsers, for an image in a format that they do not show
/// (`ResourceFormat.isShownByBrowsers`), or that they do not turn. It is made when it is requested
/// (`LibraryService.draw`).
public struct BrowserImage: Sendable, Equatable {
  /// The maximum width and height in pixels. A browser decodes an image of that size into at most 256 MB, and
  /// larger images are shown reduced.
  public static let maximumSide = 8_192

  /// The format of the page's own image.
  public let source: ResourceFormat
  /// The path of the rendition below the renditions folder, without its extension.
  private let stem: String

  /// Returns nil if browsers show the page's own image, or if there is no image.
  /// - Parameters:
  ///   - original: The resource's file.
  ///   - isTurned: Whether the page's own image, if it is a WebP, is one that browsers do not turn (`TurnedWebP`).
  public init?(_ page: Page, of original: StoredFile?, isTurned: Bool = false) {
    let own: String
    if let file = page.file {
      guard let dot = file.lastIndex(of: "."),
        let format = ResourceFormat(fileExtension: file[file.index(after: dot)...])
      else { return nil }
      (source, own) = (format, file)
    } else if let original {
      source = original.format
      own = RenditionName.page(
        original.digest, page: page.number, fileExtension: original.format.fileExtension)
    } else {
      return nil
    }
    guard source.kind == .image, !source.isShownByBrowsers || isTurned && source == .webp else {
      return nil
    }
    stem = "\(own.prefix { $0 != "." })-\(Self.maximumSide)"
  }

  /// The name that the rendition has in a format, relative to the renditions folder.
  public func name(_ format: ResourceFormat) -> String { "\(stem).\(format.fileExtension)" }

  /// The names that the rendition may have: a JPEG, or a PNG if it has transparency.
  public var names: [String] { [ResourceFormat.jpeg, .png].map { name($0) } }
}
