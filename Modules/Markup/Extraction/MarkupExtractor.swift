public import Markup

/// Finds items in the events of a parser of markup. An extractor is a value without input or output; its
/// memory is bounded by the size of the document.
public protocol MarkupExtractor: Sendable {
  /// Handles the next event and appends the items that it completes.
  mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem])
  /// Ends the document and appends the remaining items.
  mutating func finish(into items: inout [MarkupItem])
}
