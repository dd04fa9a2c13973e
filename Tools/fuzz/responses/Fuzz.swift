import HTTP1
import Models

/// Responses of a hostile server: the result does not depend on the pieces; a truncated response is never complete; a
/// head that is written again parses to the same head.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let reading = Reading(
    limits: chance.below(4) == 0 ? .tight : HeadLimits(), isResponseToHEAD: chance.below(8) == 0)
  let whole = reading.outcome(of: [input[...]])
  demand(reading.outcome(of: pieces(input, of: 1)) == whole, "byte by byte, another response")
  demand(reading.outcome(of: halves(input, &chance)) == whole, "cut in two, another response")
  demand(
    reading.outcome(of: pieces(input, of: 2 + chance.below(16))) == whole,
    "cut in pieces, another response")
  guard whole.isComplete, let framing = whole.framing else {
    demand(!whole.allowsReuse, "a connection is reused after an error")
    return 0
  }
  if framing != .untilClose {
    let part = chance.below(whole.consumed)
    let cutOff = reading.outcome(of: [input[..<part]])
    demand(!cutOff.isComplete, "a response that was cut off after \(part) bytes is complete")
    demand(cutOff.error?.code == .truncated, "cut off after \(part): \(cutOff)")
  }
  if let head = whole.head { checkSerializing(head, reading, framing) }
  return 0
}

extension HeadLimits {
  /// The limits are so small that short inputs reach every one of them.
  fileprivate static let tight = HeadLimits(
    maximumHeadBytes: 80, maximumFields: 3, maximumTrailerBytes: 20, maximumChunkSizeDigits: 3,
    maximumChunkExtensionBytes: 6, maximumInformational: 1)
}

private func checkSerializing(
  _ head: ResponseHeadMessage, _ reading: Reading, _ framing: BodyFraming
) {
  let again = Reading(limits: HeadLimits(), isResponseToHEAD: reading.isResponseToHEAD)
  guard let bytes = try? ResponseSerializer.bytes(head) else {
    return demand(false, "a head that was read cannot be written: \(head)")
  }
  let second = again.outcome(of: [bytes[...]])
  demand(second.head == head, "\(head) became \(String(describing: second.head))")
  demand(second.framing == framing, "the framing \(framing) became another one")
}

/// The result of a client for a connection that delivers some bytes and then ends.
private struct Outcome: Equatable {
  var head: ResponseHeadMessage?
  var framing: BodyFraming?
  var body: [UInt8] = []
  var error: HTTPParseError?
  var isComplete = false
  var allowsReuse = false
  /// Bytes up to the end of the message.
  var consumed = 0
}

private struct Reading {
  let limits: HeadLimits
  let isResponseToHEAD: Bool

  func outcome(of pieces: [ArraySlice<UInt8>]) -> Outcome {
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
      demand(throwsAgain(&parser), "an error is not repeated")
    }
    outcome.isComplete = parser.isComplete && outcome.error == nil
    outcome.allowsReuse = parser.allowsReuse
    outcome.framing = parser.framing
    // Where in the bytes an error is noticed may depend on the cuts.
    if outcome.error != nil { outcome.consumed = 0 }
    return outcome
  }

  private func feed(
    _ parser: inout ResponseParser, _ unread: inout [UInt8], _ outcome: inout Outcome
  ) throws(HTTPParseError) {
    while true {
      let (consumed, step) = try parser.parse(unread.span.bytes)
      demand(consumed <= unread.count, "more is consumed than there is")
      if case .body(let range) = step {
        demand(!range.isEmpty && range.upperBound <= unread.count, "a body outside of the input")
        outcome.body += unread[range]
      }
      unread.removeFirst(consumed)
      outcome.consumed += consumed
      switch step {
      case .needInput, .end: return
      case .head(let head):
        demand(outcome.head == nil, "two heads")
        outcome.head = head
      case .body: break
      }
    }
  }

  private func throwsAgain(_ parser: inout ResponseParser) -> Bool {
    do throws(HTTPParseError) {
      try parser.finishInput()
      return false
    } catch {
      return true
    }
  }
}
