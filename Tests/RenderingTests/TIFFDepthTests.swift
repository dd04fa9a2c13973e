import Models
import Rendering
import TestSupport
import Testing

/// TIFF files of every depth that scanners, cameras and instruments write.
@Suite("TIFF depths") struct TIFFDepthTests {
  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Rows of samples from the highest bit on, each row on bytes of its own; of whole bytes little endian.
  private static func pack(_ samples: [Int], bits: Int, perRow: Int) -> [UInt8] {
    if bits % 8 == 0 { return samples.flatMap { number($0, bits / 8) } }
    return stride(from: 0, to: samples.count, by: perRow).flatMap { start -> [UInt8] in
      var row: [UInt8] = []
      var (held, count) = (0, 0)
      for sample in samples[start..<(start + perRow)] {
        held = held << bits | sample
        count += bits
        while count >= 8 {
          row.append(UInt8(truncatingIfNeeded: held >> (count - 8)))
          count -= 8
        }
      }
      return count > 0 ? row + [UInt8(truncatingIfNeeded: held << (8 - count))] : row
    }
  }

  /// 8 × 4 pixels: the left half dark, the right half light.
  private static func file(
    bits: Int, samples: Int, isPlanar: Bool = false, isTiled: Bool = false,
    photometric: Int? = nil
  ) -> [UInt8] {
    let largest = 1 << bits - 1
    // In tiles of 16 × 16, as small as they may be.
    let (width, height) = isTiled ? (16, 16) : (8, 4)
    func plane(_ components: Int) -> [UInt8] {
      let all = (0..<(width * height)).flatMap { index -> [Int] in
        Array(repeating: index % width < 4 ? largest / 5 : largest, count: components)
      }
      return pack(all, bits: bits, perRow: width * components)
    }
    let planes = isPlanar ? (0..<samples).map { _ in plane(1) } : [plane(samples)]
    var entries: [(tag: Int, values: [Int])] = [
      (256, [8]), (257, [4]), (258, Array(repeating: bits, count: samples)), (259, [1]),
      (262, [photometric ?? (samples >= 3 ? 2 : 1)]), (277, [samples]),
      (284, [isPlanar ? 2 : 1]),
    ]
    entries +=
      isTiled
      ? [(322, [16]), (323, [16]), (324, [0]), (325, planes.map(\.count))]
      : [(273, [0]), (278, [4]), (279, planes.map(\.count))]
    entries.sort { $0.tag < $1.tag }
    let start = 8 + 2 + entries.count * 12 + 4
    let longLists = entries.filter { $0.values.count > 1 }.map { $0.values.count * 4 }
    let lists = longLists.reduce(0, +) + (isPlanar ? samples * 4 : 0)
    var (directory, extra, data): ([UInt8], [UInt8], Int) = ([], [], start + lists)
    for entry in entries {
      var values = entry.values
      if entry.tag == 273 || entry.tag == 324 {
        values = planes.map { plane in
          defer { data += plane.count }
          return data
        }
      }
      directory += number(entry.tag, 2) + number(4, 2) + number(values.count, 4)
      if values.count == 1 {
        directory += number(values[0], 4)
      } else {
        directory += number(start + extra.count, 4)
        extra += values.flatMap { number($0, 4) }
      }
    }
    extra += [UInt8](repeating: 0, count: lists - extra.count)
    return join(
      Array("II".utf8), number(42, 2), number(8, 4), number(entries.count, 2), directory,
      number(0, 4), extra, Array(planes.joined()))
  }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  @Test(
    "grey and RGB of 1 to 32 bits show their tones",
    arguments: [1, 2, 3, 4, 6, 8, 9, 10, 12, 14, 16, 24, 32], [1, 3])
  func depths(_ bits: Int, _ samples: Int) async throws {
    let shown = try await Shown(Self.file(bits: bits, samples: samples))
    #expect((shown.info.format, shown.info.width, shown.info.height) == (.tiff, 8, 4))
    #expect(shown.damage == nil)
    let dark = (1 << bits - 1) / 5 * 255 / (1 << bits - 1)
    for row in [0, 3] {
      let (left, right) = (shown.colour(1, row), shown.colour(6, row))
      #expect(distance(left, [UInt8(dark), UInt8(dark), UInt8(dark), 255]) <= 2, "\(left)")
      #expect(distance(right, [255, 255, 255, 255]) <= 1, "\(right)")
    }
  }

  @Test("12 bits in planes, in tiles and with white as zero show the same")
  func arrangements() async throws {
    for (isPlanar, isTiled) in [(true, false), (false, true), (true, true)] {
      let shown = try await Shown(
        Self.file(bits: 12, samples: 3, isPlanar: isPlanar, isTiled: isTiled))
      #expect(shown.damage == nil)
      #expect(distance(shown.colour(1, 3), [51, 51, 51, 255]) <= 1, "\(isPlanar) \(isTiled)")
      #expect(distance(shown.colour(6, 0), [255, 255, 255, 255]) <= 1, "\(isPlanar) \(isTiled)")
    }
    let inverted = try await Shown(Self.file(bits: 12, samples: 1, photometric: 0))
    #expect(distance(inverted.colour(1, 1), [204, 204, 204, 255]) <= 1)
    let alpha = try await Shown(Self.file(bits: 12, samples: 2))
    #expect(alpha.info.hasAlpha)
    #expect(distance(alpha.colour(1, 1), [51, 51, 51, 51]) <= 4)
  }

  @Test("12 bits whose data is cut are damaged, and huge sizes are refused from the header")
  func damage() async throws {
    let file = Self.file(bits: 12, samples: 3)
    let error = await #expect(throws: RenderError.self) {
      try await Shown(Array(file.dropLast(60)))
    }
    #expect(error?.isDamage == true, "\(error?.detail ?? "")")
    var huge = file
    let width = try #require(file.indices.first { file[$0...].starts(with: [0, 1, 4, 0]) })
    huge.replaceSubrange((width + 8)..<(width + 12), with: [255, 255, 255, 0])
    let refused = await #expect(throws: RenderError.self) { try await Shown(huge) }
    #expect(refused?.detail.contains("limits.imageSide") == true, "\(refused?.detail ?? "")")
  }

  @Test("the JPEG of TIFF 6.0 is shown as it was meant")
  func oldJPEG() async throws {
    let jpeg = TestJPEG.squares([[128, 128, 128], [200, 128, 128]])
    let entries: [(tag: Int, values: [Int])] = [
      (256, [16]), (257, [8]), (258, [8, 8, 8]), (259, [6]), (262, [6]), (273, [0]), (277, [3]),
      (278, [8]), (279, [jpeg.count]), (513, [0]), (514, [jpeg.count]), (530, [1, 1]),
    ]
    let start = 8 + 2 + entries.count * 12 + 4
    var (directory, extra): ([UInt8], [UInt8]) = ([], [])
    for (tag, values) in entries {
      directory += Self.number(tag, 2) + Self.number(3, 2) + Self.number(values.count, 4)
      switch (tag, values.count) {
      case (273, _), (513, _): directory += Self.number(start + 8, 4)
      case (_, 3):
        directory += Self.number(start, 4)
        extra = values.flatMap { Self.number($0, 2) } + [0, 0]
      case (_, 2): directory += values.flatMap { Self.number($0, 2) }
      default: directory += Self.number(values[0], 4)
      }
    }
    let file = Self.join(
      Array("II".utf8), Self.number(42, 2), Self.number(8, 4), Self.number(entries.count, 2),
      directory, Self.number(0, 4), extra, jpeg)
    let shown = try await Shown(file)
    #expect((shown.info.width, shown.info.height) == (16, 8))
    #expect(shown.damage == nil, "\(shown.damage?.detail ?? "")")
    #expect(distance(shown.colour(3, 3), [128, 128, 128, 255]) <= 3)
    #expect(distance(shown.colour(12, 3), [200, 200, 200, 255]) <= 3)
  }
}
