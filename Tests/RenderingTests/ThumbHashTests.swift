import Models
import Rendering
import Testing

/// Hashes of a reference implementation (`thumbhash-python` 1.0.1) for images that a formula describes.
@Suite("ThumbHash") struct ThumbHashTests {
  enum Pattern: Sendable {
    case colour, grey, alpha, clear, noise

    /// Red, green, blue, alpha.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
      switch self {
      case .colour: [(x * 5 + y) % 256, (y * 7 + x * 2) % 256, 255 - x * 3, 255]
      case .grey: [x * 4 % 256, x * 4 % 256, x * 4 % 256, 255]
      case .alpha: [x * 9 % 256, y * 9 % 256, 128, (x * 8 + y * 4) % 256]
      case .clear: [10, 20, 30, 0]
      case .noise:
        {
          let value = x * 7_919 + y * 104_729 + x * y * 31
          return [value % 256, value / 7 % 256, value / 53 % 256, 255]
        }()
      }
    }

    func image(_ width: Int, _ height: Int) throws -> PixelRendition {
      var bytes = PixelRendition.header(width: width, height: height)
      for y in 0..<height {
        for x in 0..<width {
          let pixel = pixel(x, y).map { UInt8(($0 + 256) % 256) }
          bytes += [pixel[2], pixel[1], pixel[0], pixel[3]]
        }
      }
      return try #require(
        PixelRendition(Rendition(format: .bmp, width: width, height: height, bytes: bytes)))
    }
  }

  static let references: [(width: Int, height: Int, pattern: Pattern, hash: String)] = [
    (64, 48, .colour, "a0e6095d940d8a95689786547848899840788660b7"),
    (40, 64, .colour, "e5050664107337878776707899887076087877"),
    (64, 64, .grey, "1f081a070070777788888888888888788878070000000000"),
    (32, 20, .alpha, "9d6786138a27424e907aa6429016f777025b477a777877"),
    (20, 32, .alpha, "9dc785130828a0b138e927a0b103f9b660786279968677"),
    (8, 8, .clear, "00088205000000000000000000000000000000000000000000"),
    (64, 1, .grey, "1f083e01807477878888088b0000000000"),
    (1, 64, .colour, "615241692908877888878878f787777f98"),
    (50, 33, .noise, "20f801058096c10464d817171a9777d5735f9d8b0a"),
    (33, 50, .noise, "df0702050045388b4c39b504386a8897486f4b5f3d"),
    (64, 5, .noise, "1f08020182376a0786595767099f5a2f99"),
  ]

  @Test("equals that of the reference, but for rounding")
  func encoding() throws {
    var (equal, count) = (0, 0)
    for reference in Self.references {
      let image = try reference.pattern.image(reference.width, reference.height)
      let hash = try #require(ThumbHash(image))
      let expected = try #require(ThumbHash(Self.bytes(reference.hash)))
      try #require(hash.bytes.count == expected.bytes.count, "\(reference)")
      // The header has fields of several sizes, so it has to be equal.
      let start = expected.frequencyOffset
      #expect(hash.bytes.prefix(start) == expected.bytes.prefix(start), "\(reference)")
      for (one, other) in zip(hash.bytes, expected.bytes).dropFirst(start) {
        for shift in [UInt8(0), 4] {
          let (level, wanted) = (Int(one >> shift & 15), Int(other >> shift & 15))
          // Frequencies of a scale that rounds to zero mean nothing.
          #expect(abs(level - wanted) <= 1, "\(reference)")
          equal += level == wanted ? 1 : 0
          count += 1
        }
      }
    }
    #expect(equal * 100 >= count * 99, "\(equal) of \(count)")
  }

  /// The size, and the pixels at the beginning, after the middle, and at the end.
  static let decoded: [(hash: String, width: Int, height: Int, pixels: [[UInt8]])] = [
    (
      "a0e6095d940d8a95689786547848899840788660b7", 32, 23,
      [[0, 70, 255, 255], [39, 152, 46, 255], [70, 129, 121, 255]]
    ),
    (
      "9d6786138a27424e907aa6429016f777025b477a777877", 32, 19,
      [[103, 54, 135, 0], [183, 91, 137, 138], [127, 91, 96, 0]]
    ),
  ]

  @Test("is decoded to the pixels of the reference")
  func decoding() throws {
    for reference in Self.decoded {
      let image = try #require(ThumbHash(Self.bytes(reference.hash))).pixels()
      #expect((image.width, image.height) == (reference.width, reference.height))
      let count = image.width * image.height
      let places = [0, count / 2 + image.width / 3, count - 1]
      for (place, pixel) in zip(places, reference.pixels) {
        for (found, wanted) in zip(image.bytes[(place * 4)...], pixel) {
          #expect(abs(Int(found) - Int(wanted)) <= 1, "\(reference.hash) at \(place)")
        }
      }
    }
  }

  @Test("with a length that the header contradicts is refused")
  func lengths() throws {
    for reference in Self.references {
      let bytes = Self.bytes(reference.hash)
      #expect(ThumbHash(bytes)?.bytes == bytes)
      for count in 0..<bytes.count { #expect(ThumbHash(bytes.prefix(count)) == nil) }
      #expect(ThumbHash(bytes + [0]) == nil)
    }
  }

  @Test("of any bytes has pixels within its size")
  func anyBytes() {
    var state: UInt64 = 1
    for _ in 0..<2_000 {
      let bytes = (0..<25).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
      }
      for count in 5...25 {
        guard let hash = ThumbHash(bytes.prefix(count)) else { continue }
        let image = hash.pixels()
        #expect(max(image.width, image.height) == 32)
        #expect(image.bytes.count == image.width * image.height * 4)
      }
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap { offset in
      UInt8(text.dropFirst(offset).prefix(2), radix: 16)
    }
  }
}
