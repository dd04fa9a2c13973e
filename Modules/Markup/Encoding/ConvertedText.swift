extension TextConversion {
  /// Calls a function with the converted bytes of a document, or with the document itself if it needed no
  /// conversion.
  public static func withBytes<Failure: Error>(
    _ converted: [UInt8]?, of document: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let converted else { return try body(document) }
    try converted.span.withUnsafeBytes(body)
  }
}
