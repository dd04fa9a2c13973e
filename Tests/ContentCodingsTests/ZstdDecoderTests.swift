import ContentCodings
import TestSupport
import Testing

/// The rules of Zstandard and of the windows of Brotli alone.
@Suite("zstd and brotli")
struct ZstdDecoderTests {
  private let text = CodedSample.lines

  @Test("Frames follow each other, also frames without content", arguments: [1, 5, 6, 7, 100_000])
  func frames(size: Int) {
    let skippable = ZstdFrame.skippable(Array("not for the reader".utf8), kind: 15)
    let body =
      ZstdFrame.skippable([]) + ZstdFrame.of(text) + skippable + CodedSample.compressed(.zstd)
      + skippable
    #expect(decode(body, .zstd, size: size) == .success(text + text))
    #expect(decode(body.dropLast(), .zstd) == .failure(.truncated))
    #expect(decode(body + skippable.prefix(3), .zstd) == .failure(.truncated))
  }

  @Test("A window has at most 8 MiB, for content of any size", arguments: [1, 100, .max])
  func windows(size: Int) {
    // The exponent of the window is in the upper five bits, from 1 KiB; eighths of it are in the others.
    for (descriptor, isAllowed) in [
      (0x00, true), (13 << 3, true), (13 << 3 | 1, false), (13 << 3 | 7, false), (14 << 3, false),
      (0xff, false),
    ] as [(UInt8, Bool)] {
      let result = decode(ZstdFrame.of(Array("x".utf8), window: descriptor), .zstd, size: size)
      #expect(result == (isAllowed ? .success([0x78]) : .failure(.windowTooLarge)))
    }
  }

  @Test("A frame with a single segment has a window of at most 8 MiB, too")
  func singleSegment() {
    // A content size of four bytes: 8 MiB + 1, and a block that announces more than arrives.
    let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x01, 0x00, 0x80, 0x00, 0x02, 0x00, 0x10]
    #expect(decode(frame, .zstd) == .failure(.windowTooLarge))
  }

  @Test("A frame in a header is no frame", arguments: [1, 2, 6, 9, .max])
  func frameInHeader(size: Int) {
    // From the last byte of the size on, the bytes are a skippable frame.
    let frame: [UInt8] = [
      0x28, 0xb5, 0x2f, 0xfd, 0x64, 0x5b, 0x50, 0x2a, 0x4d, 0x18, 0x02, 0, 0, 0, 0x78, 0x79,
    ]
    #expect(decode(frame + CodedSample.compressed(.zstd), .zstd, size: size).bytes == nil)
    // A size of 2 + 256 bytes of which only one comes.
    let short: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x02, 0x00, 0x09, 0x00, 0x00, 0x78]
    #expect(decode(short, .zstd, size: size).bytes == nil)
  }

  @Test("Formats of early versions, dictionaries and wrong checksums are errors")
  func others() {
    for version: UInt8 in 0x1e...0x27 {
      let legacy: [UInt8] = [version, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]
      #expect(decode(legacy, .zstd) == .failure(.damaged("no frame begins here")))
    }
    // A dictionary id of one byte.
    let dictionary: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x38, 0x07, 0x01, 0x00, 0x00]
    var wrong = CodedSample.compressed(.zstd)
    wrong[wrong.count - 1] ^= 1
    for body in [dictionary, wrong] {
      guard case .failure(.damaged) = decode(body, .zstd) else {
        Issue.record("was decoded")
        continue
      }
    }
  }

  @Test("Large windows of brotli are not enabled")
  func largeWindow() {
    let body: [UInt8] = [
      0x11, 0x5e, 0x8c, 0x01, 0xe0, 0x9f, 0x00, 0x08, 0xc4, 0x02, 0x01, 0x1d,
    ]
    guard case .failure(.damaged) = decode(body, .br) else {
      Issue.record("was decoded")
      return
    }
  }
}
