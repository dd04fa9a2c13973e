/// A finding in a document of markup, in document order. Its texts are those of the document: the caller
/// resolves and checks every URL.
public enum MarkupItem: Sendable, Equatable {
  /// The rule by which the document is read; the first item.
  case rule(MarkupRule)
  /// The URL against which later references of the document are resolved, itself relative to the document's
  /// own (`<base href>`, `xml:base`).
  case base(String)
  /// The title of the document.
  case title(String)
  /// The content of `<meta name="referrer">`; before the first entry.
  case referrerPolicy(String)
  case entry(MarkupEntry)
  /// Another document with entries of the same source.
  case document(String, MarkupLink)
  /// The document continues at this URL.
  case nextPage(String)
  /// A part of the document that cannot be used, as a sentence.
  case problem(String)
  /// The document ends before it is complete, for the reason that the sentence gives, so that its rest is missing.
  case truncation(String)
  /// A defect of a document that was read as a whole nevertheless: a sentence for the user, and its line from 1.
  case remark(String, line: Int?)
}

/// A resource that a document of markup names.
public struct MarkupEntry: Sendable, Equatable {
  public var url: String
  public var title: String?
  /// The file name that the document proposes.
  public var name: String?
  /// The expected checksum in the form of `Checksum.description`, such as `md5=` and 32 digits.
  public var checksum: String?
  /// The size in bytes that the document states.
  public var byteCount: Int64?
  /// Other URLs of the same content, the best one first.
  public var mirrors: [String] = []
  /// The policy that the element of the entry states for the `Referer` of its request, in place of that of the document.
  public var referrerPolicy: String?

  public init(url: String) { self.url = url }
}

/// The relation of a linked document to the one that names it.
public enum MarkupLink: UInt8, Sendable, CaseIterable {
  /// Its entries belong to the same record, as those of the sitemaps of an index do.
  case part
  /// Its entries form a record of their own, as those of a folder do.
  case record
}

/// The rules for reading markup. The raw values are also those of `ManifestFormat`.
public enum MarkupRule: String, Sendable, CaseIterable {
  /// An HTML page with images.
  case html
  /// The listing of a folder by a web server.
  case listing
  /// RSS, Atom or Media RSS.
  case feed
  /// A sitemap or an index of sitemaps.
  case sitemap
  /// Metalink 3 or 4.
  case metalink
  /// A page of an S3 bucket (ListObjectsV2).
  case bucket
}

extension MarkupRule {
  /// The rule for the vocabulary of XML whose documents have this first element.
  /// - Parameter name: The local name, as written.
  public init?(rootElement name: some StringProtocol) {
    switch name {
    case "rss", "RDF", "feed": self = .feed
    case "urlset", "sitemapindex": self = .sitemap
    case "metalink": self = .metalink
    case "ListBucketResult": self = .bucket
    default: return nil
    }
  }
}
