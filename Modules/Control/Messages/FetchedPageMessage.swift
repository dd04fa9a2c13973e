import LibraryAPI
import Models

/// The body of `POST /v1/resources/{resource}/pages/{page}/fetch`.
struct FetchPageMessage: Codable, Equatable {
  /// Whether to make the thumbnail of the page; missing means no.
  var thumbnail: Bool?
}

/// The response to `POST /v1/resources/{resource}/pages/{page}/fetch`: the files of a page, for programs that can
/// read the library's folder.
struct FetchedPageMessage: Codable, Equatable {
  var number: Int
  /// The width in pixels; `height` has the same unit. 0 if they are unknown.
  var width: Int
  var height: Int
  var label: String?
  /// As in `PageMessage`.
  var reason: String?
  var remark: String?
  /// The path of the image, relative to the library; nil if there is none, or if the original is the image.
  /// `thumbnail` is such a path, too.
  var file: String?
  var thumbnail: String?

  init(_ page: Page) {
    number = page.number
    width = page.width
    height = page.height
    label = page.label
    reason = page.reason
    remark = page.remark
    file = page.file.map { Self.prefix + $0 }
    thumbnail = page.thumbnail.map { Self.prefix + $0 }
  }

  /// The path of the folder of all renditions, relative to the library, with its last separator.
  private static let prefix = String(LibraryLayout(root: "").rendition("").dropFirst())

  /// The page. A path outside of the folder of the renditions is left out.
  var page: Page {
    Page(
      number: number, width: width, height: height, label: label, file: file.flatMap(Self.name),
      thumbnail: thumbnail.flatMap(Self.name), reason: reason, remark: remark)
  }

  private static func name(_ path: String) -> String? {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }
}

/// A part of the list of a resource's pages, as a client reads it.
struct PageListMessage: Decodable {
  var items: [PageMessage]
  var next: String?
}

extension PageMessage {
  /// The page without the names of its files.
  var page: Page {
    Page(number: number, width: width, height: height, label: label, reason: reason, remark: remark)
  }
}
