/// The first bytes of an image file, whole and cut into pieces. The dimensions that are found do not depend on the
/// pieces, and do not change when more bytes follow.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let whole = state([input[...]])
  let cut = state(pieces(input, of: 1 + chance.below(300)))
  demand(whole == cut, "the same state however the input is cut")
  let beginning = state(Array(halves(input, &chance).prefix(1)))
  demand(beginning == .needsMore || beginning == whole, "a state that does not change")
  return 0
}

private func state(_ pieces: [ArraySlice<UInt8>]) -> ImageHeader.State {
  var header = ImageHeader()
  for piece in pieces { header.append(Array(piece).span.bytes) }
  return header.state
}
