extension String {
  /// The first non-blank line, trimmed. A field for a path or a URL accepts only this line of a paste.
  var firstLine: String {
    split(whereSeparator: \.isNewline).lazy.map { String($0).trimmingSpaces }
      .first { !$0.isEmpty } ?? ""
  }

  var trimmingSpaces: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
