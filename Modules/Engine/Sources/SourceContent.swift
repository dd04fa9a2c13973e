import SystemCalls

/// The bytes of a document that is to be read: those of the source, or the decoded ones of a compressed source.
struct SourceContent: Sendable {
  /// The document, in a file that is read by position.
  let file: OwnedDescriptor
  let byteCount: Int64
  /// The reason why only the beginning of the document is in the file; nil if all of it is.
  var truncation: String?
}
