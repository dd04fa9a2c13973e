import Markup
import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import SystemCalls
import TestSupport

/// The items of a page, read in this process.
struct Page {
  let items: [MarkupItem]

  init(_ html: [UInt8], url: String? = "https://example.org/a/page.html", rule: MarkupRule? = nil)
    throws
  {
    let folder = try TemporaryFolder()
    let file = try FileSystem.open(try folder.write("page.html", html))
    var items: [MarkupItem] = []
    try DocumentReader(html: GumboParser(), xml: LibxmlParser()).read(
      file, MarkupRequest(rule: rule, url: url)
    ) {
      (batch) throws(MarkupError) in items += batch
    }
    self.items = items
  }

  init(_ html: String, url: String? = "https://example.org/a/page.html", rule: MarkupRule? = nil)
    throws
  {
    try self.init(Array(html.utf8), url: url, rule: rule)
  }

  var rule: MarkupRule? { if case .rule(let rule) = items.first { rule } else { nil } }

  var entries: [MarkupEntry] {
    items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
  }

  var urls: [String] { entries.map(\.url) }

  /// The URLs of the entries and the policies that their elements state.
  var referrerPolicies: [String: String?] {
    Dictionary(entries.map { ($0.url, $0.referrerPolicy) }, uniquingKeysWith: { first, _ in first })
  }

  var documents: [String] {
    items.compactMap { if case .document(let url, .record) = $0 { url } else { nil } }
  }

  var title: String? {
    items.lazy.compactMap { if case .title(let text) = $0 { text } else { nil } }.first
  }

  var nextPage: String? {
    items.lazy.compactMap { if case .nextPage(let url) = $0 { url } else { nil } }.first
  }
}
