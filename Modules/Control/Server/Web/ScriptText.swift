/// The text of a script of the web page.
enum ScriptText {
  /// Returns the script without the lines that are comments, because a sixth of the page's weight would be
  /// explanations. Such lines become empty, so that messages name the lines of the source.
  ///
  /// Only comments that begin a line are recognized: `//`, and `/**` up to the line that ends with `*/`. No line of a
  /// text may begin so.
  static func withoutComments(_ script: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(script.count)
    var isInComment = false
    for line in script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      isInComment = isInComment || text.starts(with: "/**".utf8)
      if !isInComment, !text.starts(with: "//".utf8) { result += line }
      if isInComment, text.suffix(2).elementsEqual("*/".utf8) { isInComment = false }
      result.append(UInt8(ascii: "\n"))
    }
    result.removeLast()
    return result
  }
}
