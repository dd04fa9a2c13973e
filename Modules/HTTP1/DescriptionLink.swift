public import Models

/// The Metalink description of the content that a response names with
/// `Link: <…>; rel=describedby; type="application/metalink4+xml"` (RFC 6249 §3, RFC 5854).
public struct DescriptionLink: Sendable, Equatable {
  /// The media type of a Metalink document (RFC 5854 §7.1).
  public static let mediaType = "application/metalink4+xml"

  /// The target as written, never empty, to be resolved against the URL of the response.
  public let target: String

  /// Returns the first description of the response; nil if it names none.
  public init?(_ fields: HTTPFields) {
    guard fields["Link"] != nil,
      let link = LinkHeader.links(in: fields).first(where: {
        $0.relations.contains("describedby") && !$0.target.isEmpty && Self.isMetalink($0["type"])
      })
    else { return nil }
    target = link.target
  }

  /// Whether the media type, without its parameters and case, is that of a Metalink document.
  private static func isMetalink(_ type: String?) -> Bool {
    guard let type else { return false }
    let name = Substring(type.utf8.prefix { $0 != ASCII.semicolon })
    return HTTPFields.isSame(FieldList.trim(name), mediaType)
  }
}
