import HTTP1
import Models
import Testing

/// What came of a message: the same however its bytes are cut.
struct Outcome: Equatable {
  var status: Int?
  var fields: [[String]] = []
  var body: [UInt8] = []
  var error: HTTPParseError?
  var isComplete = false
  var allowsReuse = false
  var surplus: [UInt8] = []
  var framing: BodyFraming?

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Cuts `bytes` before the offsets in `cuts`.
func pieces(_ bytes: [UInt8], cuts: [Int]) -> [ArraySlice<UInt8>] {
  let bounds = [0] + cuts + [bytes.count]
  return zip(bounds, bounds.dropFirst()).map { bytes[$0..<$1] }
}

/// Expects that a response is not complete if the connection ends before its last byte.
func expectEndsAreSeen(
  _ bytes: [UInt8], isResponseToHEAD: Bool = false, _ comment: Comment = ""
) {
  let whole = receive([bytes[...]], isResponseToHEAD: isResponseToHEAD)
  guard whole.error == nil, whole.framing != .untilClose else { return }
  let length = bytes.count - whole.surplus.count
  // Long inputs only repeat one byte: their beginning and end hold every kind of cut.
  let lengths = length <= 600 ? Array(0..<length) : Array(0..<80) + [length - 1]
  for length in lengths {
    let part = receive([bytes[..<length]], isResponseToHEAD: isResponseToHEAD)
    #expect(!part.isComplete && !part.allowsReuse, "\(comment) after \(length) bytes")
    #expect(part.error?.code == .truncated, "\(comment) after \(length) bytes")
  }
}

func singleBytes(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.indices.map { bytes[$0...$0] } }

/// Plays the client's side of a connection that brings `pieces` and then ends.
func receive(
  _ pieces: [ArraySlice<UInt8>], limits: HeadLimits = HeadLimits(), isResponseToHEAD: Bool = false
) -> Outcome {
  var parser = ResponseParser(limits: limits, isResponseToHEAD: isResponseToHEAD)
  var outcome = Outcome()
  var unread: [UInt8] = []
  do throws(HTTPParseError) {
    for piece in pieces {
      unread += piece
      try feed(&parser, &unread, &outcome)
    }
    try parser.finishInput()
  } catch {
    outcome.error = error
  }
  outcome.isComplete = parser.isComplete
  outcome.allowsReuse = parser.allowsReuse
  outcome.framing = parser.framing
  if outcome.error == nil { outcome.surplus = unread }
  return outcome
}

private func feed(
  _ parser: inout ResponseParser, _ unread: inout [UInt8], _ outcome: inout Outcome
) throws(HTTPParseError) {
  while true {
    let (consumed, step) = try parser.parse(unread.span.bytes)
    if case .body(let range) = step { outcome.body += unread[range] }
    unread.removeFirst(consumed)
    switch step {
    case .needInput, .end: return
    case .head(let head):
      outcome.status = head.status
      outcome.fields = head.fields.fields.map { [$0.name, $0.value] }
    case .body: break
    }
  }
}

func receive(
  _ text: String, limits: HeadLimits = HeadLimits(), isResponseToHEAD: Bool = false
) -> Outcome {
  receive([Array(text.utf8)[...]], limits: limits, isResponseToHEAD: isResponseToHEAD)
}

/// What a server makes of a request.
struct RequestOutcome: Equatable {
  var head: RequestHeadMessage?
  var body: [UInt8] = []
  var error: HTTPParseError?
  var allowsReuse = false
  var surplus: [UInt8] = []
}

func accept(_ pieces: [ArraySlice<UInt8>], limits: HeadLimits = .request) -> RequestOutcome {
  var parser = RequestParser(limits: limits)
  var outcome = RequestOutcome()
  var unread: [UInt8] = []
  do throws(HTTPParseError) {
    for piece in pieces {
      unread += piece
      reading: while true {
        let (consumed, step) = try parser.parse(unread.span.bytes)
        if case .body(let range) = step { outcome.body += unread[range] }
        unread.removeFirst(consumed)
        switch step {
        case .needInput, .end: break reading
        case .head(let head): outcome.head = head
        case .body: break
        }
      }
    }
    try parser.finishInput()
  } catch {
    outcome.error = error
  }
  outcome.allowsReuse = parser.allowsReuse
  if outcome.error == nil { outcome.surplus = unread }
  return outcome
}

func accept(_ text: String) -> RequestOutcome { accept([Array(text.utf8)[...]]) }

/// Random numbers that repeat with their seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
