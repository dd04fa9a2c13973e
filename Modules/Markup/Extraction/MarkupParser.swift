public import Markup

/// A parser that converts the bytes of a document to events. It keeps no state between calls.
public protocol MarkupParser: Sendable {
  /// Parses a document and reports its elements and texts in document order.
  /// - Parameters:
  ///   - charset: The character encoding that the server states; nil if it states none.
  ///   - limits: The maximum depth, and the maximum length of texts and attributes.
  ///   - handler: Receives the events. Each start of an element is followed by its end.
  /// - Throws: `MarkupError`, including the errors of the handler, unchanged.
  func parse(
    _ bytes: UnsafeRawBufferPointer, charset: String?, limits: MarkupLimits,
    handler: (MarkupEvent) throws(MarkupError) -> Void
  ) throws(MarkupError)
}
