/// An entity tag (RFC 9110 §8.8.3).
public struct EntityTag: Hashable, Sendable {
  public let isWeak: Bool
  /// The tag with its quotation marks, as it is sent in a request.
  public let quoted: String

  /// Reads a field value; nil for anything that is not exactly one entity tag.
  public init?(_ value: some StringProtocol) {
    let value = String(value)
    isWeak = value.utf8.starts(with: "W/".utf8)
    let tag = isWeak ? String(Substring(value.utf8.dropFirst(2))) : value
    let bytes = tag.utf8.span
    guard bytes.count >= 2, bytes[0] == 0x22, bytes[bytes.count - 1] == 0x22 else {
      return nil
    }
    for index in 1..<(bytes.count - 1) {
      guard bytes[index] != 0x22, bytes[index] > 0x20, bytes[index] != 0x7f else { return nil }
    }
    quoted = tag
  }

  public var fieldValue: String { isWeak ? "W/" + quoted : quoted }

  /// Compares byte by byte (RFC 9110 §8.8.3.2): tags that are only canonically equivalent are different.
  public static func == (a: Self, b: Self) -> Bool {
    a.isWeak == b.isWeak && a.quoted.utf8.elementsEqual(b.quoted.utf8)
  }
}

/// The validators that identify a version of a representation, so that a partial download can safely
/// continue.
public struct Validator: Hashable, Sendable {
  public var entityTag: EntityTag?
  /// The `Last-Modified` field as the server sent it; compared byte by byte, never parsed.
  public var lastModified: String?

  public init(entityTag: EntityTag? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  public init(_ fields: HTTPFields) {
    self.init(
      entityTag: fields["ETag"].flatMap { EntityTag($0) }, lastModified: fields["Last-Modified"])
  }

  public static func == (a: Self, b: Self) -> Bool {
    let (old, new) = (a.lastModified, b.lastModified)
    guard a.entityTag == b.entityTag, (old == nil) == (new == nil) else { return false }
    return (old ?? "").utf8.elementsEqual((new ?? "").utf8)
  }

  /// The value of `If-Range` (RFC 9110 §13.1.5): a strong entity tag, or the date if the response had no tag.
  public var ifRange: String? {
    if let entityTag { return entityTag.isWeak ? nil : entityTag.quoted }
    return lastModified
  }
}
