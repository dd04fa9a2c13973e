/// Finds lines that end in CR LF, or in LF alone if that is tolerated, and enforces the size limit of a
/// section.
///
/// A line may arrive in any number of pieces: the position of the search is kept, so that each byte is
/// examined once.
struct LineReader {
  private let limit: Int
  private let code: HTTPParseError.Code
  private let toleratesBareLineFeeds: Bool
  /// Whether a line has ended in LF without CR.
  private(set) var hasBareLineFeed = false
  /// The number of bytes of the complete lines so far, which count against `limit`.
  private var consumedBytes = 0
  /// The number of bytes of the unfinished line that were already searched for a line feed.
  private var scanned = 0

  /// - Parameters:
  ///   - limit: The maximum number of bytes of all lines together.
  ///   - code: The error code if the limit is exceeded.
  ///   - toleratesBareLineFeeds: Whether LF alone ends a line (RFC 9112 §2.2).
  init(limit: Int, code: HTTPParseError.Code, toleratesBareLineFeeds: Bool) {
    self.limit = limit
    self.code = code
    self.toleratesBareLineFeeds = toleratesBareLineFeeds
  }

  /// Returns the next line without its end, and the offset after it; `nil` if its end has not arrived yet.
  mutating func next(
    in input: RawSpan, from start: Int
  ) throws(HTTPParseError) -> (line: Range<Int>, end: Int)? {
    let from = start + min(scanned, input.byteCount - start)
    guard let lineFeed = input.firstOffset(of: ASCII.lineFeed, in: from..<input.byteCount) else {
      scanned = input.byteCount - start
      guard scanned <= limit - consumedBytes else { throw tooLarge }
      return nil
    }
    let length = lineFeed - start + 1
    guard length <= limit - consumedBytes else { throw tooLarge }
    consumedBytes += length
    scanned = 0
    let hasReturn = lineFeed > start && input.byte(at: lineFeed - 1) == ASCII.carriageReturn
    if !hasReturn {
      guard toleratesBareLineFeeds else {
        throw HTTPParseError(.lineEnd, "a line ends in LF without CR")
      }
      hasBareLineFeed = true
    }
    let line = start..<(hasReturn ? lineFeed - 1 : lineFeed)
    let carriageReturn = input.firstOffset(of: ASCII.carriageReturn, in: line)
    if carriageReturn != nil || input.firstOffset(of: 0, in: line) != nil {
      let name = carriageReturn == nil ? "NUL" : "CR"
      throw HTTPParseError(.lineEnd, "\(name) inside the line \"\(input.escaped(line))\"")
    }
    return (line, lineFeed + 1)
  }

  private var tooLarge: HTTPParseError {
    let section = code == .trailerTooLarge ? "trailer section" : "header section"
    return HTTPParseError(code, "the \(section) is longer than \(limit) bytes")
  }
}
