/// Recognizes a page on which people sign in, which many sites send in place of the page that was requested.
struct SignInForm: Sendable {
  /// The number of images from which a page is more than a form with pictures around it.
  private static let imageLimit = 3
  /// The length of the text in bytes from which a page has contents beside a form, as that of a forum does.
  private static let textLimit = 3_000

  private var hasPasswordField = false
  /// Whether a form has a name or an address such as `login`.
  private var hasNamedForm = false
  private var textLength = 0
  /// The number of open elements whose text is not displayed.
  private var hiddenDepth = 0

  mutating func start(_ name: String, _ attributes: AttributeMap) {
    switch name {
    case "script", "style", "template", "title", "option", "noscript": hiddenDepth += 1
    case "input":
      if attributes["type"]?.lowercased() == "password" { hasPasswordField = true }
    case "form":
      for name in ["action", "id", "class", "name"] {
        if let text = attributes[name], Self.namesSignIn(text) { hasNamedForm = true }
      }
    default: break
    }
  }

  mutating func end(_ name: String) {
    switch name {
    case "script", "style", "template", "title", "option", "noscript": hiddenDepth -= 1
    default: break
    }
  }

  mutating func addText(_ characters: String) {
    guard hiddenDepth == 0 else { return }
    textLength += characters.utf8.count { $0 > 0x20 }
  }

  /// Whether the page has a form for signing in, and hardly anything else.
  /// - Parameter imageCount: The number of images of its contents.
  func isWholePage(imageCount: Int) -> Bool {
    (hasPasswordField || hasNamedForm) && imageCount < Self.imageLimit
      && textLength < Self.textLimit
  }

  private static func namesSignIn(_ text: String) -> Bool {
    let words = Words.split(text.prefix(200))
    return words.contains { ["login", "signin", "logon"].contains($0) }
      || zip(words, words.dropFirst()).contains {
        ["sign in", "log in", "log on"].contains($0 + " " + $1)
      }
  }
}
