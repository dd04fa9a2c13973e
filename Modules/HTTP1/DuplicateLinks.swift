public import Models

/// The mirrors that a response names with `Link: <…>; rel=duplicate` (RFC 6249 §2).
public struct DuplicateLinks: Sendable, Equatable {
  /// The property by which the content of a duplicate is recognised as the same.
  public enum Identity: Sendable, Equatable {
    /// The SHA-256 digest that the response states of the content.
    case digest(Digest)
    /// The strong entity tag of the response. Preferred mirrors have the tags of the server (RFC 6249 §2.3).
    case entityTag(EntityTag)
  }

  public let identity: Identity
  /// The targets as written, sorted by priority (`pri`, from 1 to 999999, the lowest first; RFC 6249 §2.1).
  /// Duplicates without a priority come last, and those that are equal keep their order.
  public let targets: [String]

  /// The maximum number of duplicates; those of the lowest priority are left out.
  public static let limit = 16

  /// Returns the duplicates of the response; nil if it names none, or if nothing in it could prove that their
  /// content is the same: without a digest, only mirrors that share their entity tags with the server (`pref`)
  /// are usable, and only if the tag is strong.
  public init?(_ fields: HTTPFields) {
    guard fields["Link"] != nil else { return nil }
    var links = LinkHeader.links(in: fields).filter {
      $0.relations.contains("duplicate") && !$0.target.isEmpty
    }
    if let digest = RepresentationDigest.sha256(in: fields) {
      identity = .digest(digest)
    } else if let tag = fields["ETag"].flatMap({ EntityTag($0) }), !tag.isWeak {
      identity = .entityTag(tag)
      links.removeAll { $0["pref"] == nil }
    } else {
      return nil
    }
    let sorted = links.enumerated().sorted {
      (Self.priority($0.element), $0.offset) < (Self.priority($1.element), $1.offset)
    }
    targets = sorted.prefix(Self.limit).map(\.element.target)
    if targets.isEmpty { return nil }
  }

  private static func priority(_ link: LinkHeader.Link) -> Int {
    guard let text = link["pri"], text.utf8.allSatisfy(ASCII.isDigit), let number = Int(text),
      (1...999_999).contains(number)
    else { return .max }
    return number
  }
}
