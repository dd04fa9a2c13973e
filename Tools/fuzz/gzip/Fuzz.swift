/// gzip of strangers: however it is cut, the same comes of it; nothing is whole before its end; and the reader stops
/// when it is told to.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  var chance = Chance(input)
  let whole = decode([input[...]])
  demand(decode(pieces(input, of: 1)) == whole, "byte by byte, other data")
  demand(decode(halves(input, &chance)) == whole, "cut in two, other data")
  if whole.ending == "whole" {
    let part = decode([input[..<chance.below(input.count)]])
    demand(part.ending == "truncated", "cut off: \(part.ending)")
  }
  let stopped = decode([input[...]], limit: 100)
  demand(stopped.count <= 100 + 65_536, "\(stopped.count) bytes after the end was asked for")
  return 0
}

private struct Decoded: Equatable {
  var count = 0
  /// FNV-1a.
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  var ending = ""
}

private func decode(_ pieces: [ArraySlice<UInt8>], limit: Int = 4 << 20) -> Decoded {
  let reader = GzipReader()
  var decoded = Decoded()
  do throws(GzipReader.Failure) {
    for piece in pieces where !piece.isEmpty {
      let bytes = Array(piece)
      let goesOn = try reader.read(bytes.span.bytes) { output in
        output.withUnsafeBytes { data in
          for byte in data { decoded.digest = (decoded.digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
          decoded.count += data.count
        }
        return decoded.count <= limit
      }
      guard goesOn else {
        // How much has been read until then depends on the cuts.
        decoded.digest = 0
        if limit > 100 { decoded.count = 0 }
        decoded.ending = "stopped"
        return decoded
      }
    }
    try reader.finish()
    decoded.ending = "whole"
  } catch {
    if case .truncated = error { decoded.ending = "truncated" } else { decoded.ending = "refused" }
  }
  // What zlib gives out before it refuses depends on the cuts, too.
  if decoded.ending == "refused" { (decoded.count, decoded.digest) = (0, 0) }
  return decoded
}
