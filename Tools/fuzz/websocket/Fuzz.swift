/// Bytes that a hostile client sends after the handshake, whole and cut into pieces. The resulting messages do not
/// depend on the pieces, and are within the limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let limit = 1 << chance.below(13)
  let whole = outcome(of: [input[...]], limit)
  let cut = outcome(of: pieces(input, of: 1 + chance.below(9)), limit)
  demand(whole == cut, "the same events however the input is cut")
  return 0
}

private func outcome(of pieces: [ArraySlice<UInt8>], _ limit: Int) -> [String] {
  var reader = WebSocketReader(limit: limit)
  var said: [String] = []
  for piece in pieces {
    reader.receive(Array(piece))
    do throws(WebSocketError) {
      while let event = try reader.next() {
        if case .text(let text) = event {
          demand(text.utf8.count <= limit, "a message in the limit")
        }
        if case .ping(let bytes) = event { demand(bytes.count <= 125, "a short ping") }
        said.append("\(event)")
      }
    } catch {
      demand(error.description.utf8.count <= 123, "room in the close frame")
      said.append("\(error.code)")
    }
  }
  return said
}
