import HTTP1
import Models

/// Chunked bodies: our decoder against a plain implementation of the grammar (RFC 9112 §7.1), in which LF alone
/// may end a line, and any data in chunks of any sizes is decoded unchanged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let whole = decode([input[...]])
  demand(decode(pieces(input, of: 1)) == whole, "byte by byte, another body")
  demand(decode(halves(input, &chance)) == whole, "cut in two, another body")
  var grammar = Grammar(input)
  compare(whole, with: grammar.read())
  let encoded = encode(input, &chance)
  let decoded = decode(pieces(encoded, of: 1 + chance.below(40)))
  demand(decoded.ending == .complete, "chunks of ours are not read: \(decoded.ending)")
  demand(decoded.body == input, "chunks of ours are read as other data")
  return 0
}

private enum Ending: Equatable {
  case complete, truncated, malformed
}

private struct Decoded: Equatable {
  var body: [UInt8] = []
  var ending = Ending.malformed
}

private let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

private func decode(_ pieces: [ArraySlice<UInt8>]) -> Decoded {
  var parser = ResponseParser()
  var decoded = Decoded()
  var unread: [UInt8] = []
  do throws(HTTPParseError) {
    for piece in [head[...]] + pieces {
      unread += piece
      reading: while true {
        let (consumed, step) = try parser.parse(unread.span.bytes)
        if case .body(let range) = step { decoded.body += unread[range] }
        unread.removeFirst(consumed)
        switch step {
        case .needInput, .end: break reading
        case .head, .body: break
        }
      }
    }
    try parser.finishInput()
    decoded.ending = .complete
  } catch {
    decoded.ending = error.code == .truncated ? .truncated : .malformed
  }
  return decoded
}

/// Behind the last chunk only the trailers decide, which the target `responses` looks at.
private func compare(_ ours: Decoded, with grammar: Grammar.Verdict) {
  switch grammar {
  case .lastChunk(let body):
    demand(ours.body == body, "another body than the grammar's")
  case .ended(let body):
    demand(ours == Decoded(body: body, ending: .truncated), "\(ours.ending), should be truncated")
  case .wrong(let body):
    demand(ours == Decoded(body: body, ending: .malformed), "\(ours.ending), should be malformed")
  }
}

/// One pass over the whole input, one rule of the grammar after the other.
private struct Grammar {
  enum Verdict {
    case lastChunk([UInt8])
    case ended([UInt8])
    case wrong([UInt8])
  }

  private enum Stop: Error { case ended, wrong }

  private let input: [UInt8]
  private var place = 0
  private var body: [UInt8] = []

  init(_ input: [UInt8]) { self.input = input }

  mutating func read() -> Verdict {
    do throws(Stop) {
      while true {
        let size = try size()
        try skipExtension()
        try endLine()
        if size == 0 { return .lastChunk(body) }
        let available = min(size, UInt64(input.count - place))
        body += input[place..<place + Int(available)]
        place += Int(available)
        try endLine()
      }
    } catch {
      return error == .ended ? .ended(body) : .wrong(body)
    }
  }

  private func peek() throws(Stop) -> UInt8 {
    guard place < input.count else { throw .ended }
    return input[place]
  }

  private mutating func expect(_ byte: UInt8) throws(Stop) {
    guard try peek() == byte else { throw .wrong }
    place += 1
  }

  private mutating func endLine() throws(Stop) {
    if try peek() == 0x0d { place += 1 }
    try expect(0x0a)
  }

  private mutating func size() throws(Stop) -> UInt64 {
    var digits = 0
    var size: UInt64 = 0
    while let digit = Character(Unicode.Scalar(try peek())).hexDigitValue, try peek() < 0x80 {
      digits += 1
      guard digits <= 16, size < 1 << 59 else { throw .wrong }
      size = size << 4 | UInt64(digit)
      place += 1
    }
    guard digits > 0 else { throw .wrong }
    return size
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0d || byte == 0x0a }

  private mutating func skipExtension() throws(Stop) {
    while isBlank(try peek()) { place += 1 }
    if try isLineEnd(peek()) { return }
    try expect(UInt8(ascii: ";"))
    while try !isLineEnd(peek()) {
      guard try peek() != 0 else { throw .wrong }
      place += 1
    }
  }
}

private func encode(_ body: [UInt8], _ chance: inout Chance) -> [UInt8] {
  var output: [UInt8] = []
  var rest = body[...]
  while !rest.isEmpty {
    let chunk = rest.prefix(1 + chance.below(rest.count))
    rest = rest.dropFirst(chunk.count)
    let size = String(chunk.count, radix: 16, uppercase: chance.below(2) == 0)
    let zeros = String(repeating: "0", count: chance.below(4))
    let note = [";a=b", " ", "", ";q=\"x;y\""][chance.below(4)]
    output += Array("\(zeros)\(size)\(note)\r\n".utf8) + chunk + [0x0d, 0x0a]
  }
  return output + Array("0\r\nX: y\r\n\r\n".utf8)
}
