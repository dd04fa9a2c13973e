import LibraryAPI
import Manifests
import Markup
import Models

/// Reads a spooled document of markup on a blocking thread and sends its items to a channel.
struct MarkupReading: Sendable {
  let source: SpooledSource
  let content: SourceContent
  /// The name of the document in messages.
  let name: String
  /// The rule that the user demands; nil to recognise it from the content.
  let rule: MarkupRule?
  let expected: ExpectedDocument
  let reader: any MarkupReader
  let limits: Settings.Limits
  let channel: ImportChannel

  /// Blocks until all items are sent.
  /// - Throws: `LibraryError` for a document that cannot be read, also because the worker is missing or has
  ///   crashed.
  func run() throws {
    var entries = MarkupEntries(name: name, base: source.url, limits: ManifestLimits(limits))
    var sender = ItemSender(channel)
    // The error of the closure, which can throw only those of the reader.
    var failure: (any Error)?
    var counts = ItemCounts()
    do throws(MarkupError) {
      try reader.read(content.file, request) { (markup) throws(MarkupError) in
        for item in markup { counts.count(item) }
        do {
          try send(markup, &entries, &sender)
        } catch {
          failure = error
          throw MarkupError(.visitor, "\(error)")
        }
      }
    } catch {
      try sender.flush()
      if error.code == .syntax, let truncation = content.truncation {
        throw LibraryError(.source, truncation)
      }
      guard let excess = excess(error, failure, counts) else { throw explain(error, failure) }
      try channel.send(.excess(excess))
    }
    try check(entries)
    try sender.flush()
    // The cause of a truncated compressed file is that, and not what is missing in the XML.
    if let truncation = content.truncation ?? entries.truncation {
      try channel.send(.truncation(truncation))
    }
    if let format = Self.format(of: entries) { try channel.send(.format(format)) }
    if entries.rule == .html, entries.entryCount == 0, entries.problemCount == 0 {
      try channel.send(.imagelessPage)
    }
  }

  private var request: MarkupRequest {
    MarkupRequest(
      rule: rule,
      charset: source.fields["Content-Type"].flatMap(ContentType.charset),
      url: source.url?.description, limits: MarkupLimits(limits))
  }

  private static func format(of entries: MarkupEntries) -> ContentFormat? {
    entries.rule.flatMap { ManifestFormat(rawValue: $0.rawValue) }.map { ContentFormat($0) }
  }

  private func check(_ entries: MarkupEntries) throws(LibraryError) {
    try expected.check(
      Self.format(of: entries), isEmpty: entries.entryCount == 0 && entries.problemCount == 0,
      name: name)
  }

  private func send(
    _ markup: [MarkupItem], _ entries: inout MarkupEntries, _ sender: inout ItemSender
  ) throws {
    var items: [ManifestItem] = []
    do {
      try entries.convert(markup, into: &items)
    } catch {
      // The entries before the error are usable, so they are sent.
      try check(entries)
      try sender.send(items)
      throw error
    }
    try check(entries)
    try sender.send(items)
  }

  /// Returns the reason if the document has too many entries, of which those within the limit were received; nil
  /// for other errors.
  private func excess(
    _ error: MarkupError, _ failure: (any Error)?, _ counts: ItemCounts
  ) -> String? {
    if let failure = failure as? ManifestError {
      return failure.code == .tooMany ? failure.description : nil
    }
    guard failure == nil, error.code == .limit, counts.isFull(request.limits) else { return nil }
    return "\(name): \(error.description)"
  }

  private func explain(_ error: MarkupError, _ failure: (any Error)?) -> any Error {
    switch failure {
    case let failure as ManifestError:
      LibraryError(failure.isLimit ? .policy : .source, failure.description)
    case let failure?: failure
    case nil:
      LibraryError(error.code == .limit ? .policy : .source, "\(name): \(error.description)")
    }
  }
}
