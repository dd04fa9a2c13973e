public import SystemCalls
public import Wiring

/// Reads the images, files and further documents that a document of markup names.
///
/// Calls block; make them on a thread that may block. A reader keeps no state between calls and may be used
/// from several threads.
public protocol MarkupReader: Sendable {
  /// Reads a document to its end.
  /// - Parameters:
  ///   - file: A regular file that is open for reading; its offset is neither used nor changed.
  ///   - receive: Receives the items in document order and in batches that are never empty. The first item is
  ///     the rule by which the document is read. Items received before an error are valid.
  /// - Throws: `MarkupError`, including the errors of `receive`, unchanged.
  func read(
    _ file: OwnedDescriptor, _ request: MarkupRequest,
    receive: ([MarkupItem]) throws(MarkupError) -> Void
  ) throws(MarkupError)
}

extension Port where Service == any MarkupReader {
  public static var markup: Port<any MarkupReader> { Port("markup") }
}

/// What the caller knows about a document before it is read.
public struct MarkupRequest: Sendable, Equatable {
  /// The rule that the user demands; nil to recognize the rule from the content.
  public var rule: MarkupRule?
  /// The `charset` parameter of the field Content-Type (RFC 9110 §8.3.2); nil if there is none.
  public var charset: String?
  /// The URL of the document, for comparing its references; nil for a file.
  public var url: String?
  public var limits: MarkupLimits
  /// Whether XML that is not well-formed is an error with code `syntax`. Otherwise such a document is read up to
  /// the error, which is then a problem of the document.
  public var rejectsMalformed: Bool

  public init(
    rule: MarkupRule? = nil, charset: String? = nil, url: String? = nil,
    limits: MarkupLimits = MarkupLimits(), rejectsMalformed: Bool = false
  ) {
    self.rule = rule
    self.charset = charset
    self.url = url
    self.limits = limits
    self.rejectsMalformed = rejectsMalformed
  }
}
