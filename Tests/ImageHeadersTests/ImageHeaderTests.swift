import ImageHeaders
import Models
import TestSupport
import Testing

/// The dimensions of images in the first bytes of their files.
@Suite struct ImageHeaderTests {
  static func state(_ bytes: [UInt8], chunk: Int = .max) -> ImageHeader.State {
    var header = ImageHeader()
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + min(chunk, bytes.count))
      header.append(Array(bytes[offset..<end]).span.bytes)
      offset = end
    }
    return header.state
  }

  private static func known(_ width: Int, _ height: Int) -> ImageHeader.State {
    ImageDimensions(width: width, height: height).map { .dimensions($0) } ?? .unknown
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let expected: ImageHeader.State
  }

  static let samples: [Sample] = {
    typealias F = HeaderFixture
    let long = [UInt8](repeating: 0x41, count: 60_000)
    var samples: [Sample] = []
    func add(_ name: String, _ bytes: [UInt8], _ width: Int, _ height: Int) {
      samples.append(
        Sample(testDescription: name, bytes: bytes, expected: known(width, height)))
    }
    add("JPEG", F.jpeg(640, 480), 640, 480)
    add("progressive JPEG", F.jpeg(640, 480, frame: 0xc2), 640, 480)
    add("JPEG behind long segments", F.jpeg(640, 480, [(0xe2, long), (0xed, long)]), 640, 480)
    add("JPEG with tables first", F.jpeg(9, 8, [(0xc4, [0, 1]), (0xcc, [0])]), 9, 8)
    add(
      "JPEG with bytes between segments", F.jpeg(9, 8, [(0xfe, [1])], filler: [0, 7, 0xff, 0]), 9, 8
    )
    add("JPEG with fill bytes", F.jpeg(9, 8, [(0xfe, [1])], filler: [0xff, 0xff, 0xff]), 9, 8)
    for orientation in 1...8 {
      for isBigEndian in [true, false] {
        let (width, height) = orientation < 5 ? (640, 480) : (480, 640)
        add(
          "JPEG of orientation \(orientation)",
          F.jpeg(640, 480, [(0xe1, F.exif(orientation, isBigEndian: isBigEndian))]), width, height)
      }
    }
    let turns = [F.exif(1), F.exif(6)].map { (UInt8(0xe1), $0) }
    add("JPEG of two orientations", F.jpeg(640, 480, turns), 640, 480)
    add("JPEG of other two orientations", F.jpeg(640, 480, turns.reversed()), 480, 640)
    add("JPEG with XMP", F.jpeg(3, 4, [(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))]), 3, 4)
    add("PNG", F.png(1_000, 20), 1_000, 20)
    add("PNG with a profile", F.png(1_000, 20, [("iCCP", long)]), 1_000, 20)
    add("turned PNG", F.png(1_000, 20, [("eXIf", Array(F.exif(6).dropFirst(6)))]), 20, 1_000)
    add("GIF", Array("GIF89a@\u{1}x\0\0\0".utf8), 320, 120)
    add("lossy WebP", F.webp("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xf0, 0x80]), 320, 240)
    add("lossless WebP", F.webp("VP8L", [0x2f, 0x3f, 0xc1, 0x3b, 0, 0, 0, 0, 0, 0]), 320, 240)
    add("extended WebP", F.webp("VP8X", [0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]), 320, 240)
    add("BMP", F.bmp([40, 0, 0, 0, 0x40, 1, 0, 0, 0xf0, 0, 0, 0]), 320, 240)
    add("BMP from the top", F.bmp([40, 0, 0, 0, 0x40, 1, 0, 0, 0x10, 0xff, 0xff, 0xff]), 320, 240)
    add("old BMP", F.bmp([12, 0, 0, 0, 0x40, 1, 0xf0, 0, 1, 0, 1, 0]), 320, 240)
    add("AVIF", F.heif(), 320, 240)
    add("turned HEIF", F.heif(angle: 1), 240, 320)
    add("HEIF turned by 180 degrees", F.heif(angle: 2), 320, 240)
    add("JPEG XL", [0xff, 0x0a] + F.bits([(0, 1), (0, 2), (239, 9), (3, 3), (1, 1)]), 320, 240)
    add(
      "turned JPEG XL",
      [0xff, 0x0a]
        + F.bits([(0, 1), (1, 2), (239, 13), (0, 3), (0, 2), (319, 9), (0, 1), (1, 1), (5, 3)]),
      240, 320)
    add(
      "small JPEG XL", [0xff, 0x0a] + F.bits([(1, 1), (29, 5), (0, 3), (31, 5), (1, 1)]), 256, 240)
    add(
      "JPEG XL in a container",
      F.box("JXL ", [0x0d, 0x0a, 0x87, 0x0a]) + F.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
        + F.box("jxlc", [0xff, 0x0a] + F.bits([(1, 1), (29, 5), (3, 3), (1, 1)])), 320, 240)
    return samples
  }()

  @Test("The dimensions are found, for any division of the bytes", arguments: samples)
  func finds(_ sample: Sample) {
    for chunk in [1, 2, 7, 100, 4_096, .max] {
      #expect(Self.state(sample.bytes, chunk: chunk) == sample.expected, "\(chunk)")
    }
  }

  @Test("The beginning of a file never has other dimensions than the file", arguments: samples)
  func truncations(_ sample: Sample) {
    var header = ImageHeader()
    var known: Int?
    for (index, byte) in sample.bytes.enumerated() {
      header.append([byte].span.bytes)
      if header.state != .needsMore {
        known = known ?? index
        #expect(header.state == sample.expected)
        break
      }
    }
    #expect(known != nil)
  }

  @Test(
    "Images whose dimensions are not in their first bytes are unknown",
    arguments: [
      Array("GIF88a and more bytes".utf8), Array("II*\0 a TIFF file, as an example".utf8),
      HeaderFixture.jpeg(640, 0), HeaderFixture.png(0, 5),
      HeaderFixture.jpeg(640, 480, frame: 0xda), HeaderFixture.heif(crops: true),
      HeaderFixture.webp("VP8X", [8, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]),
      HeaderFixture.webp("VP8X", [0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 6)),
      HeaderFixture.webp("VP8X", [0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 1]),
      HeaderFixture.webp("ICCP", [8, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]),
      HeaderFixture.box("ftyp", Array("avif".utf8)) + HeaderFixture.box("mdat", [1]),
      HeaderFixture.box("ftyp", Array("avif".utf8)) + HeaderFixture.box("meta", [0, 0, 0]),
    ])
  func unknown(_ bytes: [UInt8]) { #expect(Self.state(bytes) == .unknown) }

  @Test("The dimensions of an image larger than the limit are unknown", arguments: [319, 320])
  func limit(side: Int) {
    var header = ImageHeader(maximumSide: side)
    header.append(HeaderFixture.png(320, 240).span.bytes)
    #expect(header.state == (side == 320 ? Self.known(320, 240) : .unknown))
  }

  @Test("A file without dimensions in its first 1 MiB is unknown")
  func bound() {
    let long = [UInt8](repeating: 0x41, count: 65_000)
    let file = HeaderFixture.jpeg(640, 480, (0..<20).map { _ in (0xe2, long) })
    #expect(Self.state(file, chunk: 16_384) == .unknown)
    #expect(Self.state([0xff, 0xd8, 0xff] + [UInt8](repeating: 0xff, count: 1 << 21)) == .unknown)
  }

  @Test("Damaged files do not cause a trap")
  func damage() {
    var generator = SeededGenerator(seed: 11)
    for sample in Self.samples {
      for _ in 0..<400 {
        var bytes = Array(sample.bytes.prefix(2_000))
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        let state = Self.state(bytes, chunk: Int.random(in: 1...300, using: &generator))
        if case .dimensions(let found) = state { #expect(found.width > 0 && found.height > 0) }
      }
    }
  }
}
