/// Determines which bytes belong to a body and where it ends.
struct BodyReader {
  enum Step {
    case needInput
    case body(Range<Int>)
    case end
  }

  let framing: BodyFraming
  /// The number of bytes left of a body of known length.
  private(set) var remaining: Int64
  private(set) var isComplete: Bool
  private var chunks: ChunkedReader

  /// Whether an error of the server in the chunked coding was tolerated.
  var isMalformed: Bool { framing == .chunked && chunks.isMalformed }

  init(_ framing: BodyFraming, limits: HeadLimits) {
    self.framing = framing
    chunks = ChunkedReader(limits: limits)
    remaining = if case .length(let length) = framing { length } else { 0 }
    isComplete = framing == .none || framing == .length(0)
  }

  mutating func parse(_ input: RawSpan) throws(HTTPParseError) -> (consumed: Int, step: Step) {
    if isComplete { return (0, .end) }
    switch framing {
    case .none: return (0, .end)
    case .chunked:
      let result = try chunks.parse(input)
      if case .end = result.step { isComplete = true }
      return result
    case .untilClose: return input.isEmpty ? (0, .needInput) : all(input.byteCount)
    case .length:
      guard !input.isEmpty else { return (0, .needInput) }
      let length = min(remaining, Int64(input.byteCount))
      remaining -= length
      isComplete = remaining == 0
      return all(Int(length))
    }
  }

  /// Ends the input after the connection was closed cleanly; returns `false` if the body is incomplete.
  mutating func finishInput() -> Bool {
    if framing == .untilClose { isComplete = true }
    return isComplete
  }

  private func all(_ count: Int) -> (consumed: Int, step: Step) { (count, .body(0..<count)) }
}
