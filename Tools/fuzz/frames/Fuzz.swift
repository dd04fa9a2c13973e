/// What a server of HTTP/2 sends: frames, and bytes that are none.
///
/// The first byte says how the client behaves, the rest is the server's, as it is or with frames written
/// shorter, so that one byte more does not break all that follow. However it is cut, the same
/// comes of it; no body byte is told twice, before its head or after its end; every stream is closed
/// once and silent from then on; and neither windows nor limits are gone beyond.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let bytes = first & 64 == 0 ? Array(input.dropFirst()) : frames(input.dropFirst())
  let habits = Habits(byte: first)
  var chance = Chance(input)
  // What we send in between changes what a server may send: only without it are all cuts the same.
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

/// Whether a field section may go on in another frame.
private func hasContinuation(_ bytes: [UInt8]) -> Bool {
  var start = 0
  while start + 9 <= bytes.count {
    if bytes[start + 3] == 1 && bytes[start + 4] & 4 == 0 { return true }
    start += 9 + (Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]))
  }
  return false
}

/// Frames of their kind, flags, stream and length, an byte each, and what they carry.
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

/// How the client goes about its connection.
struct Habits {
  /// The server's settings, and its acknowledgement of ours, come before the input.
  let isGreeted: Bool
  let limits: HTTP2Limits
  /// What has come of a body makes room for more.
  var consumes: Bool
  /// Streams that are asked for before anything comes.
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
