import Markup
import Models

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

  /// Recognizes the syntax by the first element, also if the document type states another one. A document is HTML
  /// unless it begins like XML and its first element is not that of a web page.
  init(recognizing document: UnsafeRawBufferPointer) {
    // In UTF-16 every other byte is 0 for the characters that matter here.
    let head = document.prefix(Self.headLength).filter { $0 != 0 }
    let text = Array(head.drop { $0 <= 0x20 || $0 >= 0x80 })
    let prolog = MarkupProlog(text)
    let root = prolog.root?.lowercased()
    if Self.vocabularies.contains(root ?? prolog.documentType?.lowercased() ?? "") {
      self = .xml
    } else {
      let isPage = prolog.isTypedHTML || root.map { Self.pageElements.contains($0) } ?? false
      let isDeclared = text.starts(with: "<?xml".utf8)
      self = !isPage && isDeclared ? .xml : .html
    }
  }

  private static let vocabularies: Set<String> = [
    "rss", "feed", "rdf", "urlset", "sitemapindex", "metalink", "listbucketresult",
  ]
  private static let pageElements: Set<String> = ["html", "head", "body"]
}
