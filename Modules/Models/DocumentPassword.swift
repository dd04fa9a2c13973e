/// A password that opens an encrypted document or archive. The password is kept in memory, for one request or
/// as long as a viewer shows the document; it is never written to a file, and its descriptions hide it.
public struct DocumentPassword: Sendable, Equatable {
  /// The password as the decrypting library receives it.
  public let text: String

  /// The maximum length in bytes. PDF 2.0 allows at most 127 bytes; other formats may allow more.
  public static let maximumBytes = 1_024

  /// Validates a password.
  /// - Returns: nil for a text that is empty, too long, or contains a NUL or a line break, which no
  ///   encrypting program accepts.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumBytes,
      !text.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 })
    else { return nil }
    self.text = text
  }
}

extension DocumentPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  public var description: String { "(hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
