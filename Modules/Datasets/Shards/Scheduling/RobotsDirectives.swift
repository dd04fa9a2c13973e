public import Models

/// The `X-Robots-Tag` fields of a response.
public enum RobotsDirectives {
  /// The message for an image whose use is forbidden.
  public static let message = "Use of image disallowed by X-Robots-Tag directive"

  /// Returns whether a field forbids the use of an image.
  ///
  /// A name before a colon is that of the client to which the directives behind it apply, up to the next such name,
  /// unless it is that of a directive with a value. img2dataset takes whatever stands before the first colon for the
  /// name of a client, and misses `noai` in `max-image-preview:large, noai`. `none` means `noindex, nofollow`.
  /// - Parameters:
  ///   - token: The name of this client in lower case; nil if it has none.
  ///   - disallowed: The forbidding directives in lower case.
  public static func forbidUse(
    _ fields: HTTPFields, token: String?, disallowed: Set<String>
  ) -> Bool {
    guard !disallowed.isEmpty else { return false }
    return fields.all("X-Robots-Tag").contains { value in
      var isForThisClient = true
      for part in value.split(separator: ",") {
        var directive = trimmed(part).lowercased()[...]
        if let colon = directive.firstIndex(of: ":") {
          let name = String(trimmed(directive[..<colon]))
          // The date of `unavailable_after` may contain a comma, behind which the time has colons; no name of a client
          // has blanks.
          if withValues.contains(name) || name.contains(where: \.isWhitespace) { continue }
          isForThisClient = name == token
          directive = trimmed(directive[directive.index(after: colon)...])
        }
        if isForThisClient, forbids(String(directive), disallowed) { return true }
      }
      return false
    }
  }

  private static let withValues: Set<String> = [
    "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after",
  ]

  private static func forbids(_ directive: String, _ disallowed: Set<String>) -> Bool {
    disallowed.contains(directive)
      || directive == "none" && !disallowed.isDisjoint(with: ["noindex", "nofollow"])
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
