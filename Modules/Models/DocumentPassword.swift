/// A password that opens an encrypted document or archive. It lives in memory, for one request or as
/// long as a viewer shows the document: nothing writes it to a file, and its descriptions do not show it.
public struct DocumentPassword: Sendable, Equatable {
  /// For the library that decrypts.
  public let text: String

  /// Bytes; those of PDF 2.0 have 127 at the most, others may be longer.
  public static let longest = 1_024

  /// - Returns: nil for a text that is empty or too long, or has a NUL or a line break, which no program that
  ///   encrypts takes.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longest,
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
