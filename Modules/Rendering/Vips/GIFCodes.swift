import Decoding

/// The codes of a GIF frame: LZW with codes of 3 to 12 bits, in blocks of up to 255 bytes (GIF89a, appendix
/// F). The codes may be malformed.
struct GIFCodes {
  private let file: ByteView
  private let pixels: Int
  private let rootBits: Int
  /// The offset of the next byte; `bytesLeftInBlock` is the number of bytes left in its block.
  private var offset: Int
  private var bytesLeftInBlock = 0
  private var bits = 0
  private var bitCount = 0

  private static let maximumCodes = 4_096
  private static let maximumBits = 12

  /// - Parameters:
  ///   - start: The offset of the byte that states the initial code size.
  ///   - pixels: The number of pixels of the frame.
  init(_ file: ByteView, from start: Int, pixels: Int) {
    self.file = file
    self.pixels = pixels
    rootBits = file.byte(start).map { Int($0) } ?? 0
    offset = start + 1
  }

  /// - Returns: The colour indices up to the end of the frame, the end of the file or the first invalid code.
  mutating func decode() -> [UInt8] {
    var output: [UInt8] = []
    guard (1...8).contains(rootBits) else { return output }
    output.reserveCapacity(min(pixels, 1 << 24))
    let clear = 1 << rootBits
    // Each entry of the code table extends the sequence of its prefix by one index; root entries have no
    // prefix.
    var prefixes = [Int](repeating: -1, count: Self.maximumCodes)
    var suffixes = (0..<Self.maximumCodes).map { UInt8(truncatingIfNeeded: $0) }
    var lengths = [Int](repeating: 1, count: Self.maximumCodes)
    var (count, width, previous) = (clear + 2, rootBits + 1, -1)
    while output.count < pixels, let code = next(width) {
      if code == clear {
        (count, width, previous) = (clear + 2, rootBits + 1, -1)
        continue
      }
      if code == clear + 1 { break }
      // A code may refer to an existing entry, or to the entry that is added next.
      guard code < count || code == count && previous >= 0 else { break }
      if previous < 0, code >= clear { break }
      let known = code < count ? code : previous
      if previous >= 0, count < Self.maximumCodes {
        prefixes[count] = previous
        lengths[count] = lengths[previous] + 1
        suffixes[count] = firstColour(ofCode: known, prefixes, suffixes)
        count += 1
        if count == 1 << width, width < Self.maximumBits { width += 1 }
      }
      append(code, to: &output, prefixes, suffixes, lengths)
      previous = code
    }
    return output
  }

  /// Returns the number of pixels for which there are codes, without decoding their colours.
  mutating func countPixels() -> Int {
    guard (1...8).contains(rootBits) else { return 0 }
    let clear = 1 << rootBits
    var lengths = [Int](repeating: 1, count: Self.maximumCodes)
    var (count, width, previous, found) = (clear + 2, rootBits + 1, -1, 0)
    while found < pixels, let code = next(width) {
      if code == clear {
        (count, width, previous) = (clear + 2, rootBits + 1, -1)
        continue
      }
      guard code != clear + 1, code < count || code == count && previous >= 0,
        previous >= 0 || code < clear
      else { break }
      if previous >= 0, count < Self.maximumCodes {
        lengths[count] = lengths[previous] + 1
        count += 1
        if count == 1 << width, width < Self.maximumBits { width += 1 }
      }
      found += lengths[code]
      previous = code
    }
    return min(found, pixels)
  }

  /// Returns the first colour index of the sequence that a code stands for.
  private func firstColour(
    ofCode code: Int, _ prefixes: [Int], _ suffixes: [UInt8]
  ) -> UInt8 {
    var code = code
    while prefixes[code] >= 0 { code = prefixes[code] }
    return suffixes[code]
  }

  /// Appends the colour indices that a code stands for. Its entry stores only the last index and the prefix.
  private func append(
    _ code: Int, to output: inout [UInt8], _ prefixes: [Int], _ suffixes: [UInt8], _ lengths: [Int]
  ) {
    let start = output.count
    let room = pixels - start
    output.append(contentsOf: repeatElement(0, count: min(lengths[code], room)))
    var (code, place) = (code, lengths[code] - 1)
    while code >= 0, place >= 0 {
      if place < room { output[start + place] = suffixes[code] }
      (code, place) = (prefixes[code], place - 1)
    }
  }

  /// - Returns: The next code, least significant bit first, or nil at the end of the blocks.
  private mutating func next(_ width: Int) -> Int? {
    while bitCount < width {
      if bytesLeftInBlock == 0 {
        guard let size = file.byte(offset), size > 0 else { return nil }
        bytesLeftInBlock = Int(size)
        offset += 1
      }
      guard let byte = file.byte(offset) else { return nil }
      bits |= Int(byte) << bitCount
      bitCount += 8
      offset += 1
      bytesLeftInBlock -= 1
    }
    defer {
      bits >>= width
      bitCount -= width
    }
    return bits & (1 << width - 1)
  }
}
