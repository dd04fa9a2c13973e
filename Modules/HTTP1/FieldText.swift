/// How octets of a field become text.
public enum FieldText {
  /// UTF-8 where the octets are that, otherwise Latin-1: no message is lost to its encoding.
  public static func decode(_ octets: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: octets, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
  }
}
