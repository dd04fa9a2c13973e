/// The value of a `Content-Range` field (RFC 9110 §14.4), bytes only.
public enum ContentRange: Equatable, Sendable {
  /// `bytes first-last/total`; `total` is nil for `*`.
  case range(first: Int64, last: Int64, total: Int64?)
  /// `bytes */total`, as in a 416 response.
  case unsatisfied(total: Int64)

  /// Parses a field value. The result is nil for every other form, so that a body with an invalid range is
  /// never appended to a partial file.
  public init?(_ value: some StringProtocol) {
    // Bytes are compared, because a combining mark would form one `Character` with the separator before it.
    let text = Substring(value).utf8
    guard HTTPFields.isSame(Substring(text.prefix(6)), "bytes ") else { return nil }
    let parts = Substring(text.dropFirst(6)).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0] == "*" {
      guard let total = Self.number(parts[1]) else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]),
      first <= last
    else { return nil }
    if parts[1] == "*" {
      self = .range(first: first, last: last, total: nil)
    } else {
      guard let total = Self.number(parts[1]), last < total else { return nil }
      self = .range(first: first, last: last, total: total)
    }
  }

  /// Parses decimal digits without a sign, at most 18 of them, so that no sum of two numbers overflows.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
    else { return nil }
    return Int64(text)
  }
}

extension HTTPFields {
  /// The value of `Content-Range` if the body of a partial response is that range of the file. The body of
  /// `multipart/byteranges` is not, although some servers state a range for it as well, which RFC 9110 §15.3.7.2
  /// forbids: it contains the boundaries and the fields of its parts.
  public var contentRange: ContentRange? {
    self["Content-Range"].flatMap { hasSeveralParts ? nil : ContentRange($0) }
  }

  /// Whether the body is of the type `multipart/byteranges`.
  public var hasSeveralParts: Bool {
    all("Content-Type").contains { value in
      let type = value.prefix { $0 != ";" }.split { $0 == " " || $0 == "\t" }.first ?? ""
      return Self.isSame(type, "multipart/byteranges")
    }
  }
}
