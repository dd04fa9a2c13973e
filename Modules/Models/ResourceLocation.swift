/// The place from which a resource is fetched, parsed from the text that the store keeps.
///
/// The text is parsed once, when a download job is created from a resource's row; the job uses this value.
public enum ResourceLocation: Sendable, Equatable {
  case http(HTTPURL)
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
        self = .http(try HTTPURL(general: text[...]))
      } catch {
        self = .invalid(error)
      }
    }
  }

  /// Returns the `file` URL of a local path (RFC 8089), which `init(_:)` parses as `.file`.
  public static func fileURL(path: String) -> String {
    fileScheme
      + path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
  }

  private static let fileScheme = "file://"

  /// The URL to request; nil for everything but `.http`.
  public var url: HTTPURL? {
    if case .http(let url) = self { url } else { nil }
  }

  /// The last component of the path, percent-decoded; empty if the path has none.
  public var name: Substring {
    switch self {
    case .http(let url): url.lastPathLabel
    case .file(let path): path.split(separator: "/").last ?? ""
    case .invalid: ""
    }
  }
}
