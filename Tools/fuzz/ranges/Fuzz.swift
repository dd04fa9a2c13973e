import Models

/// `Content-Range`: an accepted value conforms to the grammar, has its positions in order, and parses to itself when it
/// is written again; a refused value does not conform to the grammar.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: input, as: UTF8.self)
  let range = ContentRange(text)
  demand(ContentRange(text.uppercased()) == range, "the unit in capitals is another one: \(text)")
  demand((range != nil) == isOfTheGrammar(input), "\(text): \(String(describing: range))")
  switch range {
  case .range(let first, let last, let total):
    demand(first >= 0 && first <= last, "\(first)-\(last)")
    demand(total.map { last < $0 } ?? true, "\(last) of \(String(describing: total))")
    let (length, overflow) = (last - first).addingReportingOverflow(1)
    demand(!overflow && length > 0, "the length of \(text)")
    let size = total.map(String.init) ?? "*"
    demand(ContentRange("bytes \(first)-\(last)/\(size)") == range, "\(text) written down again")
  case .unsatisfied(let total):
    demand(total >= 0, "\(total)")
    demand(ContentRange("bytes */\(total)") == range, "\(text) written down again")
  case nil: break
  }
  return 0
}

/// RFC 9110 §14.4, for bytes, with numbers of at most 18 digits.
private func isOfTheGrammar(_ input: [UInt8]) -> Bool {
  guard input.count > 6, input[5] == 0x20, input.prefix(5).map({ $0 | 0x20 }) == Array("bytes".utf8)
  else { return false }
  let parts = input.dropFirst(6).split(
    separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  guard parts.count == 2 else { return false }
  let isUnknown = Array(parts[1]) == [UInt8(ascii: "*")]
  let total = number(parts[1])
  guard isUnknown || total != nil else { return false }
  if Array(parts[0]) == [UInt8(ascii: "*")] { return total != nil }
  let bounds = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  guard bounds.count == 2, let first = number(bounds[0]), let last = number(bounds[1]) else {
    return false
  }
  return first <= last && (total.map { last < $0 } ?? true)
}

private func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
  guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
    return nil
  }
  return digits.reduce(0) { $0 * 10 + UInt64($1 - 0x30) }
}
