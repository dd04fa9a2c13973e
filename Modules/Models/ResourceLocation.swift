/// The place from which a resource is fetched, parsed from the text that the store keeps.
///
/// The text of a resource is parsed once, when a job is made of its row; everything after that uses this value.
public enum ResourceLocation: Sendable, Equatable {
  case http(HTTPURL)
  /// The path of a file of this machine. Only the user can name one, never a manifest.
  case file(path: String)
  /// An unusable text, such as that of a resource from standard input, with the reason why it is no URL.
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

  /// Returns the text of a file of this machine (RFC 8089), from which `init(_:)` makes `.file` again.
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

  /// The last component of the path, decoded; empty if there is none.
  public var name: Substring {
    switch self {
    case .http(let url): url.lastPathLabel
    case .file(let path): path.split(separator: "/").last ?? ""
    case .invalid: ""
    }
  }
}
