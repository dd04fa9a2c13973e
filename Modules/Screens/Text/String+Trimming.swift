extension String {
  /// The first of its lines with something in it, without spaces around it: a field for a path or a URL takes
  /// no more of what is pasted.
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
