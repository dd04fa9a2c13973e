import Markup

/// The syntax in which a document is parsed.
enum DocumentSyntax: Sendable {
  case html, xml

  /// The syntax that a demanded rule needs.
  init(_ rule: MarkupRule) {
    switch rule {
    case .html, .listing: self = .html
    case .feed, .sitemap, .metalink, .bucket: self = .xml
    }
  }

  /// The number of leading bytes in which a vocabulary of XML is recognized.
  private static let headLength = 4_096

  /// Recognizes the syntax. A document is HTML unless it begins like XML and neither its document type nor its
  /// first element is that of a web page.
  init(recognizing document: UnsafeRawBufferPointer) {
    let head = document.prefix(Self.headLength)
    // In UTF-16 every other byte is 0 for the characters that matter here.
    let text = String(decoding: head.lazy.filter { $0 != 0 }, as: UTF8.self).lowercased()
    var rest = text.drop { $0.isWhitespace || !$0.isASCII }[...]
    var isDeclared = false
    while true {
      if rest.hasPrefix("<?") {
        isDeclared = isDeclared || rest.hasPrefix("<?xml")
        guard let end = rest.firstRange(of: "?>") else { break }
        rest = rest[end.upperBound...]
      } else if rest.hasPrefix("<!--") {
        guard let end = rest.firstRange(of: "-->") else { break }
        rest = rest[end.upperBound...]
      } else {
        break
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    if let name = Self.documentType(rest), Self.vocabularies.contains(name) {
      self = .xml
      return
    }
    let isPage = ["<!doctype html", "<html", "<head", "<body"].contains { rest.hasPrefix($0) }
    self = !isPage && (isDeclared || Self.namesVocabulary(rest)) ? .xml : .html
  }

  private static let vocabularies: Set<String> = [
    "rss", "feed", "rdf", "urlset", "sitemapindex", "metalink", "listbucketresult",
  ]

  /// Returns the name of the first element as a document type states it, without its prefix.
  private static func documentType(_ text: Substring) -> String? {
    let declaration = "<!doctype"
    guard text.hasPrefix(declaration) else { return nil }
    let name = text.dropFirst(declaration.count).drop(while: \.isWhitespace)
      .prefix { !$0.isWhitespace && $0 != ">" && $0 != "[" }
    return name.split(separator: ":").last.map(String.init)
  }

  /// Whether the first element is the root of a vocabulary that imgdl reads.
  private static func namesVocabulary(_ text: Substring) -> Bool {
    guard text.first == "<" else { return false }
    let name = text.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
    return name.split(separator: ":").last.map { vocabularies.contains(String($0)) } ?? false
  }
}
