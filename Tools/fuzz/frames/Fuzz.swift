/// The output of an HTTP/2 server: frames, and bytes that are not frames.
///
/// The first byte determines how the client behaves. The rest is sent by the server, unchanged or with frames in a
/// shorter notation, so that an inserted byte does not invalidate all frames that follow. The result does not depend
/// on how the input is cut; no byte of a body is delivered twice, before the head or after the end; every stream is
/// closed once and has no events afterwards; and neither windows nor limits are exceeded.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let bytes = first & 64 == 0 ? Array(input.dropFirst()) : frames(input.dropFirst())
  let habits = Habits(byte: first)
  var chance = Chance(input)
  // The frames that we send in between change what a server may send. Only without them is the result the same for
  // all cuts.
  let whole = Client.result(of: [bytes[...]], habits.silent)
  for cut in [pieces(bytes, of: 1), halves(bytes, &chance)] {
    let other = Client.result(of: cut, habits.silent)
    // libnghttp2 counts a CONTINUATION frame again with every piece of its header, and takes eight.
    if other.failure != nil, hasContinuation(bytes) { continue }
    demand(other == whole, "cut otherwise: \(other), not \(whole)")
  }
  _ = Client.outcome(of: [bytes[...]], habits)
  _ = Client.outcome(of: pieces(bytes, of: 1 + chance.below(64)), habits)
  return 0
}

/// Whether a field section may continue in another frame.
private func hasContinuation(_ bytes: [UInt8]) -> Bool {
  var start = 0
  while start + 9 <= bytes.count {
    if bytes[start + 3] == 1 && bytes[start + 4] & 4 == 0 { return true }
    start += 9 + (Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]))
  }
  return false
}

/// Expands frames of which kind, flags, stream and length are a byte each, followed by the payload.
private func frames(_ short: ArraySlice<UInt8>) -> [UInt8] {
  var (rest, bytes) = (short, [UInt8]())
  while rest.count >= 4 {
    let header = Array(rest.prefix(4))
    let payload = rest.dropFirst(4).prefix(Int(header[3]))
    bytes += [0, 0, UInt8(payload.count), header[0] % 11, header[1], 0, 0, 0, header[2] % 16]
    bytes += payload
    rest = rest.dropFirst(4 + payload.count)
  }
  return bytes
}

/// The behaviour of the client on its connection.
struct Habits {
  /// The server's settings, and its acknowledgement of ours, come before the input.
  let isGreeted: Bool
  let limits: HTTP2Limits
  /// The window is enlarged by the bytes of a body that were received.
  var consumes: Bool
  /// Streams that are requested before any input.
  let streams: Int
  /// What there is to send is sent between two pieces, and more is asked for.
  var isBusy: Bool
  /// Gives up each stream whose head has come.
  var cancels: Bool

  init(byte: UInt8) {
    isGreeted = byte & 1 == 0
    limits =
      byte & 2 == 0
      ? HTTP2Limits()
      : HTTP2Limits(
        fieldBytes: 200, fieldCount: 4, trailerBytes: 100, informational: 2, streams: 3,
        idleFrames: 16, streamWindow: 64, connectionWindow: 65_535)
    consumes = byte & 4 == 0
    streams = byte & 8 == 0 ? 3 : 1
    isBusy = byte & 16 == 0
    cancels = byte & 32 != 0
  }

  var silent: Habits {
    var habits = self
    habits.isBusy = false
    habits.consumes = false
    habits.cancels = false
    return habits
  }
}
