import Models
import Rendering
import TestSupport
import Testing

/// M6: what the numbers of a file mean, by value, through confined workers.
@Suite("Kinds of colour") struct ColourTests {
  /// Red, green and blue of the pictures.
  private static let colours: [[UInt8]] = [
    [0, 0, 0], [255, 255, 255], [200, 80, 20], [10, 60, 130], [128, 128, 128],
  ]

  @Test("JPEG that stores red, green and blue is shown as it is")
  func storedRGB() async throws {
    let shown = try await Shown(TestJPEG.squares(Self.colours, transform: TestJPEG.Transform.none))
    for (found, colour) in zip(shown.squares, Self.colours) {
      #expect(distance(found, colour) <= 1)
    }
  }

  @Test("JPEG with one component is grey")
  func grey() async throws {
    let shown = try await Shown(TestJPEG.squares([[0], [90], [255]]))
    #expect(shown.squares == [[0, 0, 0], [90, 90, 90], [255, 255, 255]])
  }

  /// Cyan, magenta, yellow and black, as Adobe's programs store them: 255 is no ink.
  private static let inks: [[UInt8]] = [
    [255, 255, 255, 255], [255, 255, 255, 0], [0, 255, 255, 255], [255, 0, 255, 255],
    [255, 255, 0, 255], [255, 255, 255, 128], [90, 200, 160, 220],
  ]

  @Test("JPEG with four inks has the colours of print, white where no ink is")
  func inks() async throws {
    let found = try await Shown(TestJPEG.squares(Self.inks, transform: TestJPEG.Transform.none))
      .squares
    #expect(found[0].allSatisfy { $0 > 250 }, "paper: \(found[0])")
    #expect(found[1].allSatisfy { $0 < 70 }, "black: \(found[1])")
    let (cyan, magenta, yellow) = (found[2], found[3], found[4])
    #expect(cyan[0] < 60 && cyan[1] > 120 && cyan[2] > 190, "cyan: \(cyan)")
    #expect(magenta[0] > 190 && magenta[1] < 60 && magenta[2] > 90, "magenta: \(magenta)")
    #expect(yellow[0] > 220 && yellow[1] > 190 && yellow[2] < 60, "yellow: \(yellow)")
    #expect(found[5].allSatisfy { (110...190).contains($0) }, "half of black: \(found[5])")
  }

  /// What libjpeg's `cmyk_ycck_convert` does: the inks turned round are red, green and blue of JFIF.
  private static func ycck(_ inks: [UInt8]) -> [UInt8] {
    let (red, green, blue) = (255 - Double(inks[0]), 255 - Double(inks[1]), 255 - Double(inks[2]))
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    let parts = [luma, 128 + (blue - luma) * 0.564_33, 128 + (red - luma) * 0.713_27]
    return parts.map { UInt8(clamping: Int($0 + 0.5)) } + [inks[3]]
  }

  @Test("JPEG with inks as luminance and colour difference is the same picture")
  func turnedInks() async throws {
    let plain = try await Shown(TestJPEG.squares(Self.inks, transform: TestJPEG.Transform.none))
    let turned = try await Shown(TestJPEG.squares(Self.inks.map(Self.ycck), transform: .ycck))
    for (a, b) in zip(plain.squares, turned.squares) { #expect(distance(a, b) <= 3, "\(a) \(b)") }
    #expect(plain.squares.count == Self.inks.count)
  }

  @Test("a profile that is not sRGB counts in JPEG")
  func profileOfJPEG() async throws {
    // Greys and colours; those without a counterpart in sRGB are left out.
    let bytes = TestJPEG.squares(
      Self.colours, transform: TestJPEG.Transform.none, profile: TestProfile.bytes)
    try await expectConverted(bytes)
  }

  @Test("a profile that is not sRGB counts in PNG")
  func profileOfPNG() async throws {
    let row = Self.colours.flatMap { colour in (0..<8).flatMap { _ in colour } }
    let profile = Array("p\0\0".utf8) + TestPicture.zlib(TestProfile.bytes)
    let bytes = TestPicture.png(
      width: Self.colours.count * 8, height: 8, depth: 8, type: 2,
      chunks: TestPicture.chunk("iCCP", profile), data: (0..<8).flatMap { _ in [0] + row })
    try await expectConverted(bytes)
  }

  private func expectConverted(_ bytes: [UInt8]) async throws {
    let found = try await Shown(bytes).squares
    #expect(found.count == Self.colours.count)
    for (found, colour) in zip(found, Self.colours) {
      let expected = TestProfile.sRGB(colour[0], colour[1], colour[2])
      #expect(distance(found, expected) <= 2, "\(colour): \(found), not \(expected)")
    }
  }
}
