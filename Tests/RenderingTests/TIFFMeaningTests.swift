import Models
import Rendering
import TestSupport
import Testing

/// What the samples of a TIFF mean is in its fields, not in their bits (TIFF 6.0, sections 18 to 23).
@Suite("Meaning of TIFF samples") struct TIFFMeaningTests {
  private enum Tag {
    static let bits = 258
    static let photometric = 262
    static let count = 277
    static let planes = 284
    static let extra = 338
    static let format = 339
    static let subsampling = 530
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  /// Grey pixels side by side.
  private static func grey(_ bits: Int, format: Int, _ values: [UInt64]) -> [UInt8] {
    TestTIFF.page(
      width: values.count, height: 1,
      [Tag.bits: [bits], Tag.photometric: [1], Tag.count: [1], Tag.format: [format]],
      strips: [values.flatMap { little($0, bits / 8) }])
  }

  private static let signed = 2
  private static let real = 3

  @Test(
    "real numbers from 0 to 1 are black to white, of every size",
    arguments: [
      (16, [0, 0x3400, 0x3800, 0x3c00]),
      (32, [0, 0.25, 0.5, 1].map { UInt64(Float($0).bitPattern) }),
      (64, [0, 0.25, 0.5, 1].map { Double($0).bitPattern }),
    ] as [(Int, [UInt64])])
  func shares(_ bits: Int, _ values: [UInt64]) async throws {
    let shown = try await Shown(Self.grey(bits, format: Self.real, values))
    #expect(shown.damage == nil)
    #expect((0..<4).map { shown.colour($0, 0)[0] } == [0, 64, 128, 255])
  }

  @Test("a sample without a stated meaning beside four inks is no transparency")
  func inks() async throws {
    func page(_ more: [UInt8]) -> [UInt8] {
      var tags = [Tag.bits: [Int](repeating: 8, count: 4 + more.count), Tag.photometric: [5]]
      tags[Tag.count] = [4 + more.count]
      if !more.isEmpty { tags[Tag.extra] = [0] }
      return TestTIFF.page(
        width: 2, height: 1, tags, strips: [([0, 255, 255, 0] + more) + ([255, 0, 0, 0] + more)])
    }
    let (plain, other) = (try await Shown(page([])), try await Shown(page([0])))
    #expect(!other.info.hasAlpha && other.damage == nil)
    for x in 0..<2 { #expect(other.colour(x, 0) == plain.colour(x, 0)) }
    #expect(plain.colour(0, 0) != plain.colour(1, 0))
  }

  @Test("whole numbers of 64 bits are shown, and complex numbers are named as not shown")
  func long() async throws {
    let unsigned = try await Shown(Self.grey(64, format: 1, [0, 1 << 63, .max]))
    #expect((0..<3).map { unsigned.colour($0, 0)[0] } == [0, 128, 255])
    let values = [Int64.min, 0, .max].map { UInt64(bitPattern: $0) }
    let signed = try await Shown(Self.grey(64, format: Self.signed, values))
    #expect((0..<3).map { signed.colour($0, 0)[0] } == [0, 128, 255])
    let error = await #expect(throws: RenderError.self) {
      try await Shown(Self.grey(64, format: 6, [0, 1, 2]))
    }
    #expect(error?.code == .unsupported && error?.detail.contains("complex") == true)
  }

  @Test("real numbers from 0 to 255 are shown as they are, and no number is black")
  func bytes() async throws {
    let values = [0, 20, 200, 255, Float.nan].map { UInt64($0.bitPattern) }
    let shown = try await Shown(Self.grey(32, format: Self.real, values))
    #expect((0..<5).map { shown.colour($0, 0)[0] } == [0, 20, 200, 255, 0])
  }

  /// As GDAL writes rasters of heights.
  @Test(
    "the number of places without a measurement is no number, and is black",
    arguments: [
      ("-9999", -9_999), ("-3.4028234663852886e+38", -Float.greatestFiniteMagnitude),
      ("1e20", 1e20),
      (" 0.1 ", 0.1), ("nan", .nan),
    ] as [(String, Float)])
  func missingNumbers(text: String, missing: Float) async throws {
    let heights: [Float] = [missing, 1_000, missing, 1_500, 2_000]
    for isStated in [true, false] {
      let file = TestTIFF.page(
        width: 5, height: 1,
        [Tag.bits: [32], Tag.photometric: [1], Tag.count: [1], Tag.format: [Self.real]],
        texts: isStated ? [42_113: text] : [:],
        strips: [heights.flatMap { Self.little(UInt64($0.bitPattern), 4) }])
      // The largest numbers are no measurements, even if the file does not say so.
      guard isStated || !(abs(missing) < .greatestFiniteMagnitude) else { continue }
      let shown = try await Shown(file)
      #expect((0..<5).map { shown.colour($0, 0)[0] } == [0, 128, 0, 191, 255], "\(isStated)")
    }
    let whole = [-32_768, 0, 500, 1_000].map { UInt64(UInt16(bitPattern: $0)) }
    let signed = TestTIFF.page(
      width: 4, height: 1,
      [Tag.bits: [16], Tag.photometric: [1], Tag.count: [1], Tag.format: [Self.signed]],
      texts: [42_113: "-32768"], strips: [whole.flatMap { Self.little($0, 2) }])
    let shown = try await Shown(signed)
    #expect((0..<4).map { shown.colour($0, 0)[0] } == [0, 0, 128, 255])
  }

  @Test("a stack of which the file has one directory only has a remark")
  func stack() async throws {
    func file(_ description: String) -> [UInt8] {
      TestTIFF.page(
        width: 1, height: 1, [Tag.bits: [8], Tag.photometric: [1], Tag.count: [1]],
        texts: [270: description], strips: [[7]])
    }
    let more = String(repeating: "a=b\n", count: 500)
    let stack = try await Shown(file("ImageJ=1.54f\nimages=5\nslices=5\n" + more))
    #expect(stack.remark == "the file states 5 images, of which the first is shown")
    for text in ["ImageJ=1.54f\nimages=1\n", "images=5\n", "ImageJ=1.54f\nimages=-5\n"] {
      #expect(try await Shown(file(text)).remark == nil)
    }
  }

  @Test("numbers with a sign are shown from the smallest to the largest one")
  func signs() async throws {
    let values = [-32_768, 0, 32_767].map { UInt64(UInt16(bitPattern: $0)) }
    let shown = try await Shown(Self.grey(16, format: Self.signed, values))
    #expect((0..<3).map { shown.colour($0, 0)[0] } == [0, 128, 255])
    let heights = [-500, 0, 1_500].map { UInt64(Float($0).bitPattern) }
    let relief = try await Shown(Self.grey(32, format: Self.real, heights))
    #expect((0..<3).map { relief.colour($0, 0)[0] } == [0, 64, 255])
  }

  /// One pixel.
  private static func pixel(
    _ samples: [UInt8], photometric: Int?, extra: [Int] = [], more: [Int: [Int]] = [:],
    isPlanar: Bool = false
  ) -> [UInt8] {
    var fields = [
      Tag.bits: samples.map { _ in 8 }, Tag.count: [samples.count], Tag.planes: [isPlanar ? 2 : 1],
    ]
    if let photometric { fields[Tag.photometric] = [photometric] }
    if !extra.isEmpty { fields[Tag.extra] = extra }
    return TestTIFF.page(
      width: 1, height: 1, fields.merging(more) { $1 },
      strips: isPlanar ? samples.map { [$0] } : [samples])
  }

  @Test(
    "an extra sample without a stated meaning is not transparency, and multiplied colours are divided"
  )
  func extraSamples() async throws {
    let other = try await Shown(Self.pixel([200, 80, 20, 0], photometric: 2, extra: [0]))
    #expect(other.colour(0, 0) == [200, 80, 20, 255] && !other.info.hasAlpha)
    let straight = try await Shown(Self.pixel([200, 80, 20, 128], photometric: 2, extra: [2]))
    #expect(distance(straight.colour(0, 0), [200, 80, 20, 128]) <= 1)
    let multiplied = try await Shown(Self.pixel([100, 40, 10, 128], photometric: 2, extra: [1]))
    #expect(distance(multiplied.colour(0, 0), [200, 80, 20, 128]) <= 2)
    let second = try await Shown(
      Self.pixel([200, 80, 20, 128, 9], photometric: 2, extra: [2, 0]))
    #expect(distance(second.colour(0, 0), [200, 80, 20, 128]) <= 1)
  }

  /// The colours are those of Pillow 13 with LittleCMS 2.
  @Test(
    "L*a*b* with alpha is shown, not blank",
    arguments: [
      ([128, 0, 0], [119, 119, 119]), ([136, 80, 67], [250, 3, 11]),
      ([200, 216, 20], [116, 214, 155]),
    ] as [([UInt8], [UInt8])])
  func lab(_ samples: [UInt8], _ colour: [UInt8]) async throws {
    let shown = try await Shown(Self.pixel(samples + [255], photometric: 8, extra: [2]))
    #expect(distance(shown.colour(0, 0), colour + [255]) <= 12, "\(shown.colour(0, 0))")
    let clear = try await Shown(Self.pixel(samples + [0], photometric: 8, extra: [2]))
    #expect(clear.colour(0, 0)[3] == 0)
  }

  /// By ITU-R BT.601: red = Y + 1.402 Cr, blue = Y + 1.772 Cb.
  @Test("luminance and colour difference are the same picture in planes", arguments: [false, true])
  func planes(isPlanar: Bool) async throws {
    let file = Self.pixel(
      [81, 90, 240], photometric: 6, more: [Tag.subsampling: [1, 1]], isPlanar: isPlanar)
    let shown = try await Shown(file)
    #expect(distance(shown.colour(0, 0), [238, 14, 14, 255]) <= 2, "\(shown.colour(0, 0))")
  }

  /// As Pillow and libtiff guess.
  @Test("without a stated meaning, one sample is grey whose zero is white, and three are RGB")
  func unstated() async throws {
    let grey = try await Shown(Self.pixel([55], photometric: nil))
    #expect(grey.colour(0, 0) == [200, 200, 200, 255])
    let colours = try await Shown(Self.pixel([200, 80, 20], photometric: nil))
    #expect(colours.colour(0, 0) == [200, 80, 20, 255])
  }
}
