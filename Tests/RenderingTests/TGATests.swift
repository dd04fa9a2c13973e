import Models
import Rendering
import TestSupport
import Testing

/// TGA files, which have neither a signature nor checksums (Truevision TGA File Format Specification 2.0).
@Suite("TGA") struct TGATests {
  private static func little(_ value: Int, _ count: Int = 2) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  /// Four pixels wide, two high, from the bottom left unless `descriptor` says otherwise.
  private static func file(
    type: UInt8, depth: UInt8, descriptor: UInt8 = 0, palette: [[UInt8]] = [], firstIndex: Int = 0,
    name: [UInt8] = [], width: Int = 4, _ pixels: [UInt8]
  ) -> [UInt8] {
    let hasPalette: UInt8 = palette.isEmpty ? 0 : 1
    let entryBits = UInt8((palette.first?.count ?? 0) * 8)
    return join(
      [UInt8(name.count), hasPalette, type], little(firstIndex), little(palette.count),
      [entryBits, 0, 0, 0, 0], little(width), little(2), [depth, descriptor], name,
      Array(palette.joined()), pixels)
  }

  /// Blue, green, red.
  private static let red: [UInt8] = [20, 10, 200]
  private static let green: [UInt8] = [30, 180, 0]
  private static let lower: [UInt8] = join(green, green, green, green)
  private static let upper: [UInt8] = join(red, red, red, green)
  /// The lower row is green, the upper one red but for the last pixel.
  private static let rows: [UInt8] = join(lower, upper)

  private static let footer: [UInt8] = join(
    [UInt8](repeating: 0, count: 8), Array("TRUEVISION-XFILE.".utf8), [0])

  private static let indexes: [UInt8] = [11, 11, 11, 11, 10, 10, 10, 11]

  private static let opaque: [UInt8] = {
    var pixels: [UInt8] = []
    for start in stride(from: 0, to: rows.count, by: 3) {
      pixels += rows[start..<(start + 3)]
      pixels.append(255)
    }
    return pixels
  }()

  private static let same: [(String, [UInt8])] = [
    ("24 bits", file(type: 2, depth: 24, rows)),
    ("24 bits with a footer", file(type: 2, depth: 24, join(rows, footer))),
    ("24 bits with a name", file(type: 2, depth: 24, name: Array("name".utf8), rows)),
    (
      "24 bits from the top left",
      file(type: 2, depth: 24, descriptor: 0x20, join(upper, lower))
    ),
    (
      "24 bits from the bottom right",
      file(type: 2, depth: 24, descriptor: 0x10, join(lower, green, red, red, red))
    ),
    ("32 bits with alpha", file(type: 2, depth: 32, descriptor: 8, opaque)),
    (
      "runs that go on in the next row",
      file(type: 10, depth: 24, join([0x83], green, [0x82], red, [0x00], green))
    ),
    (
      "a palette whose first index is 10",
      file(type: 1, depth: 8, palette: [red, green], firstIndex: 10, indexes)
    ),
    (
      "a palette in runs",
      file(type: 9, depth: 8, palette: [red, green], [0x83, 1, 0x82, 0, 0x00, 1])
    ),
  ]

  @Test("of every kind show the same picture", arguments: same)
  func kinds(_ name: String, _ file: [UInt8]) async throws {
    let shown = try await Shown(file)
    #expect((shown.info.format, shown.info.width, shown.info.height) == (.tga, 4, 2), "\(name)")
    #expect(shown.damage == nil, "\(name)")
    #expect(shown.colour(0, 0) == [200, 10, 20, 255], "\(name)")
    #expect(shown.colour(3, 0) == [0, 180, 30, 255], "\(name)")
    #expect(shown.colour(0, 1) == [0, 180, 30, 255], "\(name)")
  }

  @Test("in grey and in 15 bits show their tones")
  func tones() async throws {
    let grey = try await Shown(Self.file(type: 3, depth: 8, [1, 2, 3, 4, 50, 60, 70, 80]))
    #expect(grey.colour(0, 0) == [50, 50, 50, 255])
    #expect(grey.colour(3, 1) == [4, 4, 4, 255])
    let pixel = Self.little(31 << 10 | 16 << 5)
    let short = try await Shown(
      Self.file(type: 2, depth: 16, Array(repeatElement(pixel, count: 8).joined())))
    #expect(short.colour(2, 1) == [255, 132, 0, 255])
  }

  @Test("whose pixels all are transparent are opaque, because their writers have left alpha empty")
  func emptyAlpha() async throws {
    var pixels = Self.opaque
    for place in stride(from: 3, to: pixels.count, by: 4) { pixels[place] = 0 }
    let shown = try await Shown(Self.file(type: 2, depth: 32, descriptor: 8, pixels))
    #expect(shown.colour(0, 0) == [200, 10, 20, 255] && !shown.info.hasAlpha)
    pixels[3] = 255
    let partly = try await Shown(Self.file(type: 2, depth: 32, descriptor: 8, pixels))
    #expect(partly.colour(0, 0)[3] == 0 && partly.colour(0, 1) == [0, 180, 30, 255])
  }

  private static let broken: [(String, [UInt8], RenderError.Code)] = [
    ("a row is missing", file(type: 2, depth: 24, lower), .truncated),
    (
      "a run is cut", file(type: 10, depth: 24, join([0x83], green, [0x82], [20, 10])),
      .truncated
    ),
    (
      "a run goes beyond the picture",
      file(type: 10, depth: 24, join([0x83], green, [0x87], red)), .damaged
    ),
    ("the header tells another width", file(type: 2, depth: 24, width: 3, rows), .damaged),
    (
      "another run follows the picture",
      file(type: 10, depth: 24, join([0x83], green, [0x83], red, [0x00], green)), .damaged
    ),
    (
      "the pixels reach into the footer", file(type: 2, depth: 24, join(lower, red, footer)),
      .damaged
    ),
    (
      "an index has no color",
      file(type: 1, depth: 8, palette: [red, green], [1, 1, 1, 1, 0, 0, 9, 1]), .damaged
    ),
  ]

  @Test(
    "without a palette may state the size of its entries", arguments: [15, 16, 24, 32] as [UInt8])
  func unusedEntrySize(_ bits: UInt8) async throws {
    var file = Self.file(type: 2, depth: 24, Self.rows)
    file[7] = bits
    let shown = try await Shown(file)
    #expect(shown.info.format == .tga && shown.damage == nil)
    #expect(shown.colour(0, 0) == [200, 10, 20, 255])
  }

  @Test("that are damaged are not complete images", arguments: broken)
  func damaged(_ what: String, _ file: [UInt8], _ code: RenderError.Code) async throws {
    let shown = try await Shown(file)
    #expect(shown.damage?.code == code, "\(what): \(shown.damage?.detail ?? "")")
    #expect(shown.colour(0, 1) == [0, 180, 30, 255], "\(what)")
  }

  @Test("are distinguished from files that only begin like one")
  func recognition() {
    func format(_ bytes: [UInt8]) -> ResourceFormat { ResourceFormat(sniffing: bytes) }
    for (name, file) in Self.same { #expect(format(file) == .tga, "\(name)") }
    let zeros = [UInt8](repeating: 0, count: 30)
    #expect(format(zeros) == .unknown)
    // A cursor, a font and text in UTF-16.
    #expect(format([0, 0, 2, 0, 1, 0, 16, 16, 0, 0, 1, 0] + zeros) == .unknown)
    #expect(format([0, 1, 0, 0, 0, 16, 1, 0] + zeros) == .unknown)
    #expect(format([0x61, 0, 0x0a, 0, 0x62, 0, 0x63, 0] + zeros) == .unknown)
    var odd = Self.file(type: 2, depth: 24, Self.rows)
    odd[16] = 23
    #expect(format(odd) == .unknown)
  }
}
