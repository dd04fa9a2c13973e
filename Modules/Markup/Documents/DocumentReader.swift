public import Markup
import MarkupEncoding
public import MarkupExtraction
public import SystemCalls

/// Reads documents in this process, with the given parsers. Only a confined worker, and tests, use it.
public struct DocumentReader: MarkupReader {
  private let htmlParser: (any MarkupParser)?
  private let xmlParser: (any MarkupParser)?

  public init(html: (any MarkupParser)?, xml: (any MarkupParser)?) {
    htmlParser = html
    xmlParser = xml
  }

  public func read(
    _ file: OwnedDescriptor, _ request: MarkupRequest,
    receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    let document = try DocumentBytes(file, limits: request.limits)
    let syntax =
      request.rule.map { DocumentSyntax($0) } ?? DocumentSyntax(recognizing: document.bytes)
    switch syntax {
    case .html:
      guard document.bytes.count <= MarkupLimits.pageBytes else {
        throw MarkupError(
          .limit,
          "the web page has \(document.bytes.count) bytes; at most \(MarkupLimits.pageBytes) are supported "
            + "(\(MarkupLimits.fixed))")
      }
      try parse(
        document, htmlParser, HTMLExtractor(rule: request.rule, url: request.url), request, receive)
    case .xml:
      try parseXML(document, request, receive)
    }
  }

  /// Reads a document of XML. One that is not well-formed is read up to the error, which is then a problem of
  /// the document.
  private func parseXML(
    _ document: DocumentBytes, _ request: MarkupRequest,
    _ receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    guard let xmlParser else {
      throw MarkupError(.unsupported, "this program has no parser for XML documents")
    }
    var extractor = XMLExtractor(rule: request.rule, url: request.url)
    var batches = ItemBatches(limits: request.limits)
    do throws(MarkupError) {
      try xmlParser.parse(document.bytes, charset: request.charset, limits: request.limits) {
        (event) throws(MarkupError) in
        extractor.handle(event, into: &batches.items)
        if let refusal = extractor.refusal { throw refusal }
        try batches.sendFull(receive)
      }
    } catch {
      if batches.isRefused { throw error }
      guard error.code == .syntax, extractor.rule != nil, !request.rejectsMalformed else {
        try batches.sendAll(receive)
        throw error
      }
      batches.items.append(
        error.isTruncation
          ? .truncation(error.description)
          : .problem(error.description + "; the rest of the document is not read"))
    }
    if extractor.rule != nil,
      let line = XMLText.firstInvalidLine(document.bytes, charset: request.charset)
    {
      let words =
        "is not UTF-8, although the document or its server states it; such bytes are read as U+FFFD. If texts or "
        + "URLs are wrong, correct the stated encoding"
      batches.items.append(.remark(words, line: line))
    }
    extractor.finish(into: &batches.items)
    try batches.sendAll(receive)
  }

  /// Parses a document of HTML.
  private func parse(
    _ document: DocumentBytes, _ parser: (any MarkupParser)?, _ extractor: HTMLExtractor,
    _ request: MarkupRequest, _ receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    guard let parser else {
      throw MarkupError(.unsupported, "this program has no parser for the document")
    }
    var extractor = extractor
    var batches = ItemBatches(limits: request.limits)
    batches.queries = QueryEncoding(of: document.bytes, charset: request.charset)
    do throws(MarkupError) {
      try parser.parse(document.bytes, charset: request.charset, limits: request.limits) {
        (event) throws(MarkupError) in
        extractor.handle(event, into: &batches.items)
        try batches.sendFull(receive)
      }
    } catch {
      // The items before the error are usable.
      if !batches.isRefused { try batches.sendAll(receive) }
      throw error
    }
    extractor.finish(into: &batches.items)
    if let refusal = extractor.refusal { throw refusal }
    try batches.sendAll(receive)
  }
}

/// Collects items, bounds their texts and number, and sends them in batches.
private struct ItemBatches {
  /// The number of items that are sent at once.
  private static let size = 256

  var items: [MarkupItem] = []
  /// Encodes the queries of URLs; nil for documents whose URLs have queries in UTF-8.
  var queries: QueryEncoding?
  private let limits: MarkupLimits
  /// The numbers of entries with documents, and of problems, that were sent.
  private var counts = ItemCounts()
  /// Whether the receiver has thrown an error, after which it gets no further items.
  private(set) var isRefused = false

  init(limits: MarkupLimits) { self.limits = limits }

  mutating func sendFull(
    _ receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    if items.count >= Self.size { try sendAll(receive) }
  }

  mutating func sendAll(
    _ receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError) {
    var start = 0
    while start < items.count {
      let end = min(start + Self.size, items.count)
      var batch: [MarkupItem] = []
      batch.reserveCapacity(end - start)
      for item in items[start..<end] {
        let item = item.mappingURLs { queries?.encoded($0) ?? $0 }.bounded
        counts.count(item)
        if counts.excess(limits) != nil { break }
        batch.append(item)
      }
      do throws(MarkupError) {
        if !batch.isEmpty { try receive(batch) }
      } catch {
        isRefused = true
        throw error
      }
      if let excess = counts.excess(limits) {
        items = []
        throw excess
      }
      start = end
    }
    items.removeAll(keepingCapacity: true)
  }
}

extension MarkupItem {
  fileprivate func mappingURLs(_ change: (String) -> String) -> MarkupItem {
    switch self {
    case .base(let url): return .base(change(url))
    case .document(let url, let link): return .document(change(url), link)
    case .nextPage(let url): return .nextPage(change(url))
    case .entry(var entry):
      entry.url = change(entry.url)
      return .entry(entry)
    case .rule, .title, .referrerPolicy, .problem, .truncation, .remark: return self
    }
  }
}
