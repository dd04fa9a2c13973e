/// Cells of comma-separated values (RFC 4180), safe to be opened in a spreadsheet.
public enum CSVText {
  /// Encodes untrusted text, such as a URL, a name or a reason, as a cell.
  ///
  /// - Parameters:
  ///   - text: The text without control characters; the caller makes those visible first.
  ///   - isRaw: Whether the text is left unchanged. Otherwise a text that begins with `=`, `+`, `-`, `@`, TAB
  ///     or CR gets a leading apostrophe, since spreadsheets would run it as a formula (OWASP, "CSV
  ///     Injection").
  public static func cell(_ text: String, isRaw: Bool = false) -> String {
    let text = !isRaw && isFormula(text) ? "'" + text : text
    return text.utf8.contains(where: needsQuotes)
      ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  /// Whether a spreadsheet would interpret the text as a formula.
  public static func isFormula(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "=")?, UInt8(ascii: "+")?, UInt8(ascii: "-")?, UInt8(ascii: "@")?, 0x09?,
      0x0d?:
      true
    default: false
    }
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0a || byte == 0x0d
  }
}
