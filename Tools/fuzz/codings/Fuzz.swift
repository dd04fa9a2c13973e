/// Untrusted coded bodies; the first byte of the input selects the coding. The result does not depend on how a body is
/// cut into pieces; no body is complete before its end; and the decoder stops when it is told to.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let coding = ContentCoding.allCases[Int(first) % ContentCoding.allCases.count]
  let input = Array(bytes.dropFirst())
  var chance = Chance(input)
  let whole = decode([input[...]], coding)
  demand(decode(pieces(input, of: 1), coding) == whole, "byte by byte, other data")
  demand(decode(halves(input, &chance), coding) == whole, "cut in two, other data")
  if whole.ending == "whole" {
    let part = decode([input[..<chance.below(input.count)]], coding)
    // Between two frames of zstd, the first one is a whole body.
    let isEnd = coding == .zstd && part.ending == "whole"
    demand(part.ending == "truncated" || isEnd, "cut off: \(part.ending)")
  }
  let stopped = decode([input[...]], coding, limit: 100)
  demand(stopped.count <= 100 + 65_536, "\(stopped.count) bytes after the end was asked for")
  return 0
}

private struct Decoded: Equatable {
  var count = 0
  /// FNV-1a.
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  var ending = ""
}

private func decode(
  _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, limit: Int = 4 << 20
) -> Decoded {
  let decoder = coding.makeDecoder()
  var decoded = Decoded()
  do throws(DecodingFailure) {
    for piece in pieces where !piece.isEmpty {
      let bytes = Array(piece)
      let isWanted = try decoder.decode(bytes.span.bytes) { output in
        output.withUnsafeBytes { data in
          for byte in data { decoded.digest = (decoded.digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
          decoded.count += data.count
        }
        return decoded.count <= limit
      }
      guard isWanted else {
        // How much has been read until then depends on the cuts.
        decoded.digest = 0
        if limit > 100 { decoded.count = 0 }
        decoded.ending = "stopped"
        return decoded
      }
    }
    try decoder.finish()
    decoded.ending = "whole"
  } catch {
    if error.code == .truncated { decoded.ending = "truncated" } else { decoded.ending = "refused" }
  }
  // What a library gives out before the end depends on the cuts, too.
  if decoded.ending != "whole" { (decoded.count, decoded.digest) = (0, 0) }
  return decoded
}
