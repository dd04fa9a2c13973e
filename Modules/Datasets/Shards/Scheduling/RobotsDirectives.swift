public import Models

/// The `X-Robots-Tag` fields of a response.
public enum RobotsDirectives {
  /// The message for an image whose use is forbidden.
  public static let message = "Use of image disallowed by X-Robots-Tag directive"

  /// Returns whether a field forbids the use of an image.
  ///
  /// As in img2dataset, the part before the first colon names the client to which the directives apply. The
  /// directive `unavailable_after`, which contains a colon, is therefore taken for the name of a client.
  /// - Parameters:
  ///   - token: The name of this client in lower case; nil if it has none.
  ///   - disallowed: The forbidding directives in lower case.
  public static func forbidUse(
    _ fields: HTTPFields, token: String?, disallowed: Set<String>
  ) -> Bool {
    guard !disallowed.isEmpty else { return false }
    return fields.all("X-Robots-Tag").contains { value in
      let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count < 2 || parts[0].lowercased() == token else { return false }
      return (parts.last ?? "").split(separator: ",").contains { directive in
        disallowed.contains(trimmed(directive).lowercased())
      }
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
