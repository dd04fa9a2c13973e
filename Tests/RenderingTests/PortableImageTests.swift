import Models
import Rendering
import TestSupport
import Testing

/// The images of Netpbm, float maps, and images of Radiance.
@Suite("Portable images") struct PortableImageTests {
  /// Red, green and half blue above white, grey and black.
  private static let colours: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 128], [255, 255, 255], [128, 128, 128], [0, 0, 0],
  ]

  private func expect(
    _ file: [UInt8], _ colours: [[UInt8]], width: Int = 3, _ name: String
  ) async throws {
    let shown = try await Shown(file)
    #expect(shown.info.width == width && shown.info.height == colours.count / width, "\(name)")
    #expect(shown.damage == nil, "\(name)")
    for (index, colour) in colours.enumerated() {
      let found = Array(shown.colour(index % width, index / width).prefix(3))
      #expect(distance(found, colour) <= 1, "\(name), \(index): \(found)")
    }
  }

  private func text(_ values: [Int]) -> String { values.map(String.init).joined(separator: " ") }

  @Test("of each kind and largest value have the colours that their numbers mean")
  func anymaps() async throws {
    let samples = Self.colours.flatMap { $0.map(Int.init) }
    for largest in [255, 15, 100, 1_000, 65_535] {
      let scaled = samples.map { ($0 * largest + 127) / 255 }
      // Few steps cannot tell 128 from its neighbours.
      let colours = zip(samples, scaled).map { UInt8(($1 * 255 + largest / 2) / largest) }
      let expected = stride(from: 0, to: colours.count, by: 3).map { Array(colours[$0..<$0 + 3]) }
      try await expect(
        Array("P3\n# made by hand\n3 2\n\(largest)\n\(text(scaled))\n".utf8), expected,
        "plain, \(largest)")
      let binary = scaled.flatMap { value in
        largest > 255 ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value)]
      }
      try await expect(
        Array("P6 3 2 \(largest)\n".utf8) + binary, expected, "binary, \(largest)")
    }
    let greys: [[UInt8]] = [0, 100, 255, 200, 50, 25].map { [$0, $0, $0] }
    try await expect(Array("P2 3 2 255 0 100 255 200 50 25".utf8), greys, "plain grey")
    try await expect(
      Array("P5\n3\n# two\n2\n255\n".utf8) + [0, 100, 255, 200, 50, 25], greys, "grey")
  }

  @Test("of bits are black where a bit is set, with and without white space")
  func bits() async throws {
    let pattern = [1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0]
    let colours = pattern.map { [UInt8](repeating: $0 == 1 ? 0 : 255, count: 3) }
    for separator in ["", " ", "\n"] {
      let plain = "P1\n9 2\n" + pattern.map(String.init).joined(separator: separator)
      try await expect(Array(plain.utf8), colours, width: 9, "plain, \"\(separator)\"")
    }
    try await expect(
      Array("P4\n9 2\n".utf8) + [0b1001_1010, 0x80, 0b0110_0110, 0x7f], colours, width: 9, "binary")
  }

  @Test("of real numbers have their rows from below, and white is 1, in both byte orders")
  func floats() async throws {
    let values: [Float] = [1, 1, 1, 0.5, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5]
    let little = values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    let big = values.flatMap { value in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    try await expect(Array("PF\n3 2\n-1.0\n".utf8) + little, Self.colours, "little-endian")
    try await expect(Array("PF\n3 2\n1.0\n".utf8) + big, Self.colours, "big-endian")
    let grey = values.prefix(3).flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: (value * 2).bitPattern >> (8 * $0)) }
    }
    try await expect(
      Array("Pf\n3 1\n-1\n".utf8) + grey,
      [[255, 255, 255]] + [[255, 255, 255], [255, 255, 255]],
      "grey whose largest value is white")
  }

  /// The header of an image of Radiance.
  private func radiance(_ size: String, format: String = "32-bit_rle_rgbe") -> [UInt8] {
    Array("#?RADIANCE\n# made by hand\nFORMAT=\(format)\nEXPOSURE=1.0\n\n\(size)\n".utf8)
  }

  @Test("of Radiance are amounts of light, converted to sRGB, in each kind of rows and direction")
  func light() async throws {
    // 1, 0.5, 0.25 and 0 of red: 255, 188, 137 and 0 of sRGB.
    let pixels: [[UInt8]] = [[255, 0, 0, 128], [128, 0, 0, 128], [64, 0, 0, 128], [9, 9, 9, 0]]
    let levels: [[UInt8]] = [255, 188, 137, 0].map { [$0, $0 == 0 ? 0 : 6, $0 == 0 ? 0 : 6] }
    let plain = Array(pixels.joined())
    try await expect(radiance("-Y 1 +X 4") + plain, levels, width: 4, "plain")
    try await expect(radiance("-Y 1 -X 4") + plain, levels.reversed(), width: 4, "from the right")
    try await expect(
      radiance("+Y 4 +X 1") + plain, levels.reversed(), width: 1, "from below")
    let repeated: [UInt8] = [64, 0, 0, 128, 1, 1, 1, 3]
    try await expect(
      radiance("-Y 1 +X 4") + repeated, Array(repeating: levels[2], count: 4), width: 4, "repeated")
    // Eight red pixels: a run of five and three single ones, then runs of the other components.
    let runs: [UInt8] =
      [2, 2, 0, 8] + [133, 64, 3, 128, 128, 255] + [136, 0, 136, 0] + [136, 128]
    try await expect(
      radiance("-Y 1 +X 8") + runs,
      Array(repeating: levels[2], count: 5) + [levels[1], levels[1], levels[0]], width: 8, "runs")
  }

  @Test("that are cut off show what is there, and say so; contradictory ones are damaged")
  func damage() async throws {
    let rows = [UInt8](repeating: 200, count: 3 * 3)
    let files: [(String, [UInt8], RenderError.Code)] = [
      ("binary", Array("P6 3 2 255\n".utf8) + rows, .truncated),
      ("plain", Array("P2 2 2 255 200 200 200".utf8), .truncated),
      ("letters", Array("P2 2 2 255 200 200 x 9".utf8), .damaged),
      ("reals", Array("Pf\n1 2\n-1\n".utf8) + [0, 0, 0x80, 0x3f], .truncated),
      ("light", radiance("-Y 2 +X 1") + [128, 128, 128, 129], .truncated),
      ("a run", radiance("-Y 2 +X 1") + [128, 128, 128, 129, 1, 1, 1, 9], .damaged),
    ]
    for (name, file, code) in files {
      let shown = try await Shown(file)
      #expect(shown.damage?.code == code, "\(name): \(shown.damage?.detail ?? "")")
    }
    let refused: [(String, [UInt8], RenderError.Code)] = [
      ("no row", Array("P6 3 2 255\n".utf8), .truncated),
      ("no light", radiance("-Y 2 +X 1"), .truncated),
      ("no depth", Array("P6 3 2 x".utf8), .damaged),
      ("depth 0", Array("P6 3 2 0 ".utf8), .damaged),
      ("no height", Array("P6 3 0 255\n".utf8), .damaged),
      ("large", Array("P5 999999999 999999999 255\n".utf8), .limit),
      ("large light", radiance("-Y 999999999 +X 999999999"), .limit),
      ("columns", radiance("+X 1 -Y 1") + [1, 2, 3, 128], .unsupported),
      ("other colours", radiance("-Y 1 +X 1", format: "32-bit_rle_xyze"), .unsupported),
      ("no size", radiance("size"), .damaged), ("no end", Array("#?RADIANCE\n\n".utf8), .truncated),
    ]
    for (name, file, code) in refused {
      let error = await #expect(throws: RenderError.self) { try await Shown(file) }
      #expect(error?.code == code, "\(name): \(error?.detail ?? "")")
    }
  }

  @Test("that are cut at any byte, or changed, are refused or shown, and end no worker")
  func hostile() async throws {
    let files = [
      Array("P3 2 2 255 1 2 3 4 5 6 7 8 9 10 11 12".utf8), Array("P4\n9 2\n".utf8) + [1, 2, 3, 4],
      Array("PF\n1 1\n-1\n".utf8) + [UInt8](repeating: 0x7f, count: 12),
      radiance("-Y 1 +X 8") + [2, 2, 0, 8, 136, 1, 136, 2, 136, 3, 136, 128],
    ]
    var random = SeededGenerator(seed: 48)
    for file in files {
      for count in stride(from: 2, to: file.count, by: 5) {
        var changed = file
        changed[count] = UInt8(truncatingIfNeeded: random.next())
        for bytes in [Array(file.prefix(count)), changed] {
          do throws(RenderError) {
            _ = try await shownOrRefused(bytes)
          } catch {
            #expect(error.code != .worker, "\(error.detail)")
          }
        }
      }
    }
  }

  private func shownOrRefused(_ bytes: [UInt8]) async throws(RenderError) -> Bool {
    do {
      _ = try await Shown(bytes)
      return true
    } catch let error as RenderError {
      throw error
    } catch {
      return false
    }
  }
}
