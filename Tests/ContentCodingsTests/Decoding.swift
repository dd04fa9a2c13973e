import ContentCodings

/// What became of a body.
enum Decoded: Equatable {
  case success([UInt8])
  case failure(DecodingFailure.Code)

  var bytes: [UInt8]? { if case .success(let bytes) = self { bytes } else { nil } }
}

/// Decodes a whole body in pieces of at most `size` bytes, and stops when more than `limit` bytes have come
/// out.
func decode(
  _ bytes: [UInt8], _ coding: ContentCoding, size: Int = .max, limit: Int = .max
) -> Decoded {
  var pieces: [ArraySlice<UInt8>] = []
  var start = 0
  while start < bytes.count {
    let end = start + min(size, bytes.count - start)
    pieces.append(bytes[start..<end])
    start = end
  }
  return decode(pieces, coding, limit: limit)
}

func decode(
  _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, limit: Int = .max
) -> Decoded {
  let decoder = coding.makeDecoder()
  var output: [UInt8] = []
  do throws(DecodingFailure) {
    for piece in pieces {
      let isWanted = try decoder.decode(Array(piece).span.bytes) { decoded in
        output += decoded.withUnsafeBytes { Array($0) }
        return output.count <= limit
      }
      guard isWanted else { return .success(output) }
    }
    try decoder.finish()
    return .success(output)
  } catch {
    return .failure(error.code)
  }
}
