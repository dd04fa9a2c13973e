/// The place from which a resource is fetched, parsed from the text that the store keeps.
///
/// The text is parsed once, when a download job is created from a resource's row; the job uses this value.
public enum ResourceLocation: Sendable, Equatable {
  case http(HTTPURL)
  /// An image that a IIIF image service delivers; the URL is the service's base URI (IIIF Image API 3.0 §2).
  /// The service's description tells which request returns the largest image.
  case imageService(HTTPURL)
  /// The path of a local file. Only the user can name a local file, never a manifest.
  case file(path: String)
  /// A text that cannot be fetched, such as that of a resource from standard input, with the reason.
  case invalid(HTTPURLError)

  /// Parses the text of a resource. O(length).
  public init(_ text: String) {
    if let url = HTTPURL(plain: text) {
      self = .http(url)
    } else if text.utf8.starts(with: Self.fileScheme.utf8) {
      let path = text.utf8.dropFirst(Self.fileScheme.utf8.count)
      self = .file(path: PercentEncoding.decode(Substring(path)))
    } else {
      do throws(HTTPURLError) {
        let url = try HTTPURL(general: text[...])
        self = Self.namesImageService(text) ? .imageService(url) : .http(url)
      } catch {
        self = .invalid(error)
      }
    }
  }

  /// The fragment that marks the base URI of an image service. A fragment is never sent to a server, so no
  /// other resource loses its URL by the mark.
  public static let imageServiceFragment = "#iiif"

  public var isImageService: Bool { if case .imageService = self { true } else { false } }

  /// Whether the text of a URL ends with ``imageServiceFragment``.
  public static func namesImageService(_ text: String) -> Bool {
    text.utf8.count > imageServiceFragment.utf8.count
      && text.utf8.suffix(imageServiceFragment.utf8.count).elementsEqual(imageServiceFragment.utf8)
  }

  /// Returns the `file` URL of a local path (RFC 8089), which `init(_:)` parses as `.file`.
  public static func fileURL(path: String) -> String {
    fileScheme
      + path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
  }

  private static let fileScheme = "file://"

  /// The URL of the resource or of its image service; nil for everything that is not on a server.
  public var url: HTTPURL? {
    switch self {
    case .http(let url), .imageService(let url): url
    case .file, .invalid: nil
    }
  }

  /// The last component of the path, percent-decoded; empty if the path has none.
  public var name: Substring {
    switch self {
    case .http(let url), .imageService(let url): url.lastPathLabel
    case .file(let path): path.split(separator: "/").last ?? ""
    case .invalid: ""
    }
  }
}
