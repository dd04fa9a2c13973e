import Models
import Transport

/// The servers of the bytes in a partial file: the URL of their requests, and the origin that has answered if
/// redirects have left that of the URL. Pure.
///
/// Redirects may lead each request to another server, and two servers may give different files the same entity
/// tag. The origin is therefore compared as well before bytes are joined. The path is not, because many servers
/// sign the targets of their redirects anew.
struct PartSource: Sendable, Equatable {
  /// The URL in the form of `HTTPURL.equivalenceKey`.
  let url: String
  /// The origin that has answered; nil for that of the URL.
  let origin: String?

  init(url: String, origin: String?) {
    self.url = url
    self.origin = origin
  }

  init(url: String, answeredBy head: ResponseHead?) {
    self.init(url: url, origin: head.flatMap(Self.origin))
  }

  /// Parses the text of `PartialDownload.url`.
  init(_ text: String) {
    let separator = text.utf8.firstIndex(of: UInt8(ascii: " "))
    url = String(text[..<(separator ?? text.endIndex)])
    origin = separator.map { String(text[text.utf8.index(after: $0)...]) }
  }

  /// The text that the store keeps. No URL contains a space.
  var text: String { origin.map { "\(url) \($0)" } ?? url }

  /// Returns the origin of a response behind redirects that have left the origin of the request; nil for every
  /// other response.
  static func origin(of head: ResponseHead) -> String? {
    head.hasLeftOrigin ? head.url.origin.description : nil
  }

  /// Whether the response comes from the origin that has sent the bytes.
  /// - Parameter text: The text of `PartialDownload.url`; nil if it is unknown.
  static func isSame(_ head: ResponseHead, _ text: String?) -> Bool {
    origin(of: head) == text.flatMap { PartSource($0).origin }
  }
}
