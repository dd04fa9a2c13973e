public import Markup

/// Finds the items of an XML document of a vocabulary that imgdl reads, which its first element names.
public struct XMLExtractor: MarkupExtractor {
  private enum Reader: Sendable {
    case feed(FeedExtractor)
    case sitemap(SitemapExtractor)
    case metalink(MetalinkExtractor)
    case bucket(BucketExtractor)
  }

  private let demanded: MarkupRule?
  private let url: String?
  private var reader: Reader?

  /// The reason why the document is not read; nil if its first element is known, or was not seen yet.
  public private(set) var refusal: MarkupError?
  /// The rule by which the document is read; nil before its first element.
  public private(set) var rule: MarkupRule?

  /// - Parameters:
  ///   - rule: The rule that the user demands; nil to use that of the first element.
  ///   - url: The URL of the document; nil for a file.
  public init(rule: MarkupRule?, url: String?) {
    demanded = rule
    self.url = url
  }

  public mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    if rule == nil, refusal == nil, case .start(let name, _, _) = event { begin(name, &items) }
    switch reader {
    case .feed(var feed):
      // Without a second owner, the value is changed in place.
      reader = nil
      feed.handle(event, into: &items)
      reader = .feed(feed)
    case .sitemap(var sitemap):
      reader = nil
      sitemap.handle(event, into: &items)
      reader = .sitemap(sitemap)
    case .metalink(var metalink):
      reader = nil
      metalink.handle(event, into: &items)
      reader = .metalink(metalink)
    case .bucket(var bucket):
      reader = nil
      bucket.handle(event, into: &items)
      reader = .bucket(bucket)
    case nil: break
    }
  }

  public mutating func finish(into items: inout [MarkupItem]) {
    switch reader {
    case .sitemap(let sitemap): sitemap.finish(into: &items)
    case .feed(let feed): feed.finish(into: &items)
    case .bucket(let bucket): bucket.finish(into: &items)
    case .metalink, nil: break
    }
  }

  private mutating func begin(_ name: String, _ items: inout [MarkupItem]) {
    guard let found = MarkupRule(rootElement: name) else {
      refusal = MarkupError(
        .unsupported, "XML documents with the first element <\(name.prefix(80))> are not supported")
      return
    }
    if let demanded, demanded != found {
      refusal = MarkupError(
        .syntax, "the document is a \(found.rawValue), not a \(demanded.rawValue)")
      return
    }
    rule = found
    items.append(.rule(found))
    switch found {
    case .feed: reader = .feed(FeedExtractor(url: url))
    case .sitemap: reader = .sitemap(SitemapExtractor())
    case .metalink: reader = .metalink(MetalinkExtractor())
    case .bucket: reader = .bucket(BucketExtractor(url: url))
    case .html, .listing: break
    }
  }
}
