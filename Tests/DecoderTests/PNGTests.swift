import Decoding
import Models
import Rendering
import RenderingCodecs
import RenderingVips
import TestSupport
import Testing

@Suite("PNG") struct PNGTests {
  @Test("stays PNG where something shows through, and becomes JPEG where nothing does")
  func transparency() throws {
    let encoder = try ImageEncoder()
    let decoder = try CodecsDecoder()
    for (alpha, format) in [(UInt8(255), ResourceFormat.jpeg), (254, .png), (0, .png)] {
      let bytes = TestPicture.png(width: 20, height: 10, alpha: alpha)
      let raster = try bytes.asSource { try decoder.thumbnail($0, side: 10) }
      let rendition = try encoder.encode(raster, quality: 85)
      #expect(rendition.format == format)
      #expect(ResourceFormat(sniffing: rendition.bytes) == format)
    }
  }

  @Test("keeps colour and alpha of half transparent pixels")
  func halfTransparent() throws {
    let bytes = TestPicture.png(width: 40, height: 40, red: 200, green: 80, blue: 20, alpha: 128)
    let decoder = try CodecsDecoder()
    let raster = try bytes.asSource { try decoder.thumbnail($0, side: 16) }
    let rendition = try ImageEncoder().encode(raster, quality: 85)
    let again = try rendition.bytes.asSource { try decoder.decode($0, page: 0, side: 16) }
    // Multiplied by alpha once more.
    #expect(Array(again.raster.planes[0].bytes.prefix(4)) == [100, 40, 10, 128])
  }

  /// A uniform image with chunks behind its header.
  private static func stated(
    _ colour: (UInt8, UInt8, UInt8), _ chunks: [(String, [UInt8])]
  ) -> [UInt8] {
    let plain = TestPicture.png(width: 8, height: 8, red: colour.0, green: colour.1, blue: colour.2)
    return plain.prefix(33) + chunks.flatMap { TestPicture.chunk($0.0, $0.1) } + plain.dropFirst(33)
  }

  /// A uniform image that has only grey.
  private static func statedGrey(_ grey: UInt8, _ chunks: [(String, [UInt8])]) -> [UInt8] {
    TestPicture.png(
      width: 8, height: 8, depth: 8, type: 0,
      chunks: chunks.flatMap { TestPicture.chunk($0.0, $0.1) },
      data: (0..<8).flatMap { _ in [0] + [UInt8](repeating: grey, count: 8) })
  }

  private static func fixed(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  }

  private static let wide: [(String, [UInt8])] = [
    ("gAMA", fixed([45_455])),
    ("cHRM", fixed([31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000])),
  ]

  /// What a colour of the stated colours is in sRGB, as Chromium 156 shows it.
  static let colours: [(name: String, chunks: [(String, [UInt8])], expected: [Int])] = [
    ("sRGB", [("cICP", [1, 13, 0, 1])], [200, 120, 100]),
    ("Display P3", [("cICP", [12, 13, 0, 1])], [213, 115, 95]),
    ("NTSC of 1953", [("cICP", [4, 13, 0, 1])], [227, 116, 94]),
    ("generic film", [("cICP", [8, 13, 0, 1])], [220, 115, 95]),
    ("EBU 3213", [("cICP", [22, 13, 0, 1])], [201, 122, 100]),
    ("SMPTE 240M", [("cICP", [7, 7, 0, 1])], [203, 135, 115]),
    ("digital cinema", [("cICP", [1, 17, 0, 1])], [200, 109, 87]),
    ("linear light", [("cICP", [1, 8, 0, 1])], [229, 183, 168]),
    ("sRGB before primaries", [("sRGB", [0])] + wide, [200, 120, 100]),
    ("numbers before primaries", [("cICP", [1, 13, 0, 1])] + wide, [200, 120, 100]),
    ("unknown numbers", [("cICP", [99, 13, 0, 1])], [200, 120, 100]),
    ("primaries and gamma", wide, [213, 115, 95]),
  ]

  private static func decode(_ bytes: [UInt8]) throws -> DecodedPage {
    try bytes.asSource { source in
      do throws(RenderError) {
        return try CodecsDecoder().decode(source, page: 0, side: 8)
      } catch {
        guard error.code == .unsupported else { throw error }
        return try VipsDecoder().decode(source, page: 0, side: 8)
      }
    }
  }

  @Test(
    "has the grey that its chunks state",
    arguments: [
      ([12, 13], 128), ([1, 8], 188), ([1, 7], 141), ([1, 17], 118), ([9, 16], 132), ([9, 18], 99),
    ] as [([UInt8], Int)])
  func statedGrey(code: [UInt8], expected: Int) throws {
    let page = try Self.decode(Self.statedGrey(128, [("cICP", code + [0, 1])]))
    let pixel = page.raster.planes[0].bytes.prefix(3).map { Int($0) }
    #expect(pixel.allSatisfy { abs($0 - expected) <= 3 }, "\(pixel) for \(expected)")
  }

  @Test("that has only grey keeps its gamma beside primaries, which do not concern it")
  func greyGamma() throws {
    let linear = [("gAMA", Self.fixed([100_000]))]
    for chunks in [linear, linear + [Self.wide[1]]] {
      let page = try Self.decode(Self.statedGrey(128, chunks))
      let pixel = page.raster.planes[0].bytes.prefix(3).map { Int($0) }
      #expect(pixel.allSatisfy { abs($0 - 188) <= 3 }, "\(pixel)")
    }
  }

  @Test("has the colours that its chunks state", arguments: colours.indices)
  func statedColours(index: Int) throws {
    let (name, chunks, expected) = Self.colours[index]
    let page = try Self.decode(Self.stated((200, 120, 100), chunks))
    let pixel = page.raster.planes[0].bytes.prefix(3).map { Int($0) }
    #expect(
      zip(pixel, expected).allSatisfy { abs($0 - $1) <= 3 }, "\(name): \(pixel) for \(expected)")
    #expect(page.remark == nil)
  }

  @Test("in HDR has white at its place, and says what is cut off")
  func highDynamicRange() throws {
    // 203 cd/m², the white of ITU-R BT.2408, is 0.58 of the scale of PQ; twice as much is 0.65 of it.
    for (sample, range) in [(UInt8(148), 185...191), (168, 250...255)]
      as [(UInt8, ClosedRange<UInt8>)]
    {
      let bytes = Self.stated((sample, sample, sample), [("cICP", [9, 16, 0, 1])])
      #expect(throws: RenderError.self) {
        try bytes.asSource { try CodecsDecoder().decode($0, page: 0, side: 8) }
      }
      let page = try bytes.asSource { try VipsDecoder().decode($0, page: 0, side: 8) }
      #expect(page.raster.planes[0].bytes.prefix(3).allSatisfy { range.contains($0) })
      #expect(page.remark == "the image is in HDR (PQ); what is brighter than white is cut off")
    }
  }

  @Test("is the same at every size that needs rows to be summed")
  func reduced() throws {
    let bytes = TestPicture.png(width: 300, height: 200) { x, y in
      (UInt8(x * 255 / 299), UInt8(y * 255 / 199), 128, 255)
    }
    for side in [7, 20, 50, 149, 150, 299] {
      let raster = try bytes.asSource { try CodecsDecoder().thumbnail($0, side: side) }
      let size = PixelSize(width: 300, height: 200).fitting(side)
      #expect((raster.width, raster.height) == (size.width, size.height))
      let row = raster.planes[0].bytes.prefix(raster.planes[0].rowBytes)
      let reds = stride(from: row.startIndex, to: row.endIndex, by: 4).map { row[$0] }
      // A ramp stays a ramp from end to end.
      #expect(zip(reds, reds.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(reds.first ?? 255 < 30 && reds.last ?? 0 > 225)
    }
  }

  @Test("is a failure when its end is missing")
  func truncated() throws {
    let whole = TestPicture.png(width: 30, height: 30)
    let decoder = try CodecsDecoder()
    for count in [9, 20, 40, whole.count / 2, whole.count - 13] {
      let bytes = Array(whole.prefix(count))
      let error = #expect(throws: RenderError.self, "\(count) bytes are left") {
        try bytes.asSource { try decoder.thumbnail($0, side: 10) }
      }
      #expect(error?.code == .truncated, "\(count) bytes are left")
    }
  }

  @Test("is a failure when a checksum is wrong")
  func checksum() throws {
    var bytes = TestPicture.png(width: 30, height: 30)
    bytes[bytes.count - 14] ^= 1
    let error = #expect(throws: RenderError.self) {
      try bytes.asSource { try CodecsDecoder().thumbnail($0, side: 10) }
    }
    #expect(error == RenderError(.damaged, "the PNG file is damaged (invalid chunk checksum)"))
  }

  @Test("is refused by its header when it is too large")
  func bomb() throws {
    var bytes = TestPicture.png(width: 1, height: 1)
    let header = TestPicture.chunk(
      "IHDR", [0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 8, 6, 0, 0, 0])
    bytes.replaceSubrange(8..<(8 + header.count), with: header)
    let error = #expect(throws: RenderError.self) {
      try bytes.asSource { try CodecsDecoder().probe($0) }
    }
    #expect(error?.code == .limit)
  }
}
