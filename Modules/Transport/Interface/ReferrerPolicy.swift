public import Models

/// The policy by which a page limits the `Referer` of the requests for its resources (Referrer Policy, section 3).
public enum ReferrerPolicy: String, Sendable, CaseIterable {
  case noReferrer = "no-referrer"
  case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
  case sameOrigin = "same-origin"
  case origin
  case strictOrigin = "strict-origin"
  case originWhenCrossOrigin = "origin-when-cross-origin"
  case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
  case unsafeURL = "unsafe-url"

  /// The policy of a page that states none.
  public static let byDefault = ReferrerPolicy.strictOriginWhenCrossOrigin

  /// Reads the field `Referrer-Policy`: the last known word counts, so that servers can name newer policies behind older
  /// ones.
  /// - Returns: nil if there is no known word.
  public init?(field: String) {
    let words = field.split(separator: ",").map { Self.lowercased($0) }
    guard let known = words.last(where: { ReferrerPolicy(rawValue: $0) != nil }) else { return nil }
    self.init(rawValue: known)
  }

  /// Reads the content of `<meta name="referrer">`, which has older words, too (HTML Standard, "referrer").
  public init?(meta: String) {
    switch Self.lowercased(meta[...]) {
    case "never": self = .noReferrer
    case "default": self = .byDefault
    case "always": self = .unsafeURL
    case "origin-when-crossorigin": self = .originWhenCrossOrigin
    case let word: self.init(rawValue: word)
    }
  }

  /// Reads the attribute `referrerpolicy` of an element (HTML Standard, "referrer policy attributes").
  public init?(attribute: String) { self.init(rawValue: attribute.lowercased()) }

  private static func lowercased(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0.isWhitespace }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text.lowercased()
  }

  /// Returns the value of `Referer` for a request that a page causes; nil for none.
  public func referrer(of page: HTTPURL, for url: HTTPURL) -> String? {
    let isDowngrade = page.scheme == .https && url.scheme == .http
    let isSame = page.origin == url.origin
    let own = page.origin.description + "/"
    switch self {
    case .noReferrer: return nil
    case .noReferrerWhenDowngrade: return isDowngrade ? nil : page.description
    case .sameOrigin: return isSame ? page.description : nil
    case .origin: return own
    case .strictOrigin: return isDowngrade ? nil : own
    case .originWhenCrossOrigin: return isSame ? page.description : own
    case .strictOriginWhenCrossOrigin:
      return isSame ? page.description : isDowngrade ? nil : own
    case .unsafeURL: return page.description
    }
  }
}
