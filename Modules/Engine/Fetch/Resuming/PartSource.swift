import Models
import Transport

/// The sources of the bytes in a partial file: the URL of their requests, and the target to which redirects have led
/// them, if there were any. Pure.
///
/// Redirects may lead each request to another file, also on the same server, and two files may have the same entity
/// tag. The target is therefore compared as well before bytes are joined: its origin and its path. The query is not,
/// because many servers sign the targets of their redirects anew, and put the signature there. A response without
/// a redirect and one behind a redirect never continue each other. For the same reason, the bytes of a URL that was
/// signed anew are continued by the new URL (`PartialDownload.movedFrom(_:to:)`).
struct PartSource: Sendable, Equatable {
  /// The URL in the form of `HTTPURL.equivalenceKey`.
  let url: String
  /// The target of the redirects, in the same form and without its query; nil if the URL itself has answered.
  let target: String?

  init(url: String, target: String?) {
    self.url = url
    self.target = target
  }

  /// - Parameter head: The response to a request for the URL; nil if the URL itself has answered.
  init(url: String, answeredBy head: ResponseHead?) {
    let answering = head?.url.equivalenceKey ?? url
    // Both are ASCII, so that the comparison is one of bytes.
    let isRedirected = answering != url
    self.init(url: url, target: isRedirected ? String(answering.prefix { $0 != "?" }) : nil)
  }

  /// Parses the text of `PartialDownload.url`.
  init(_ text: String) {
    let separator = text.utf8.firstIndex(of: UInt8(ascii: " "))
    url = String(text[..<(separator ?? text.endIndex)])
    target = separator.map { String(text[text.utf8.index(after: $0)...]) }
  }

  /// The text that the store keeps. No URL contains a space.
  var text: String { target.map { "\(url) \($0)" } ?? url }

  /// Whether the response comes from the source of the bytes.
  /// - Parameters:
  ///   - head: The response to a request for the URL of the bytes.
  ///   - text: The text of `PartialDownload.url`; nil if it is unknown, so that no response is from there.
  static func isSame(_ head: ResponseHead, _ text: String?) -> Bool {
    guard let source = text.map({ PartSource($0) }) else { return false }
    return PartSource(url: source.url, answeredBy: head) == source
  }
}

extension PartialDownload {
  /// Returns the same bytes as those of a URL that differs from theirs in the signature only; nil if no strong entity tag
  /// tells the versions of the file apart, or if other URLs have delivered them.
  func movedFrom(_ old: HTTPURL, to new: HTTPURL) -> PartialDownload? {
    guard let tag = validator.entityTag, !tag.isWeak, let url else { return nil }
    let source = PartSource(url)
    guard source.url == old.equivalenceKey else { return nil }
    return PartialDownload(
      validator: validator, totalBytes: totalBytes, bootID: bootID, syncedBytes: syncedBytes,
      hasGaps: hasGaps, url: PartSource(url: new.equivalenceKey, target: source.target).text)
  }
}
