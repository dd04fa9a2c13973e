extension String {
  /// The first non-blank line, trimmed: the part of a paste that a field for a path or a URL accepts.
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
