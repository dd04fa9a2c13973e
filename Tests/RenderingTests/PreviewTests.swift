import Models
import RenderMessages
import Rendering
import RenderingSandbox
import TestSupport
import Testing

/// JPEG XL, JPEG 2000, SVG and ICO.
@Suite("Previews") struct PreviewTests {
  private static let colour: [UInt8] = [200, 80, 20, 255]

  /// 8 × 8 pixels of one colour, as libjxl 0.7 writes them.
  private static let jpegXL: [UInt8] = [
    255, 10, 65, 64, 36, 8, 2, 1, 0, 96, 0, 75, 24, 139, 21, 194, 73, 67, 97, 190, 64, 4, 0, 135,
    220, 187, 2, 0, 0, 0, 0, 0, 0, 0, 0,
  ]

  /// The same, as OpenJPEG 2.5 writes them.
  private static let jpeg2000: [UInt8] = [
    0, 0, 0, 12, 106, 80, 32, 32, 13, 10, 135, 10, 0, 0, 0, 20, 102, 116, 121, 112, 106, 112, 50,
    32, 0, 0, 0, 0, 106, 112, 50, 32, 0, 0, 0, 45, 106, 112, 50, 104, 0, 0, 0, 22, 105, 104, 100,
    114, 0, 0, 0, 8, 0, 0, 0, 8, 0, 3, 7, 7, 0, 0, 0, 0, 0, 15, 99, 111, 108, 114, 1, 0, 0, 0, 0, 0,
    16, 0, 0, 0, 166, 106, 112, 50, 99, 255, 79, 255, 81, 0, 47, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 1, 1, 7, 1, 1, 7, 1,
    1, 255, 82, 0, 12, 0, 0, 0, 1, 0, 3, 4, 4, 0, 1, 255, 92, 0, 13, 64, 64, 72, 72, 80, 72, 72, 80,
    72, 72, 80, 255, 100, 0, 37, 0, 1, 67, 114, 101, 97, 116, 101, 100, 32, 98, 121, 32, 79, 112,
    101, 110, 74, 80, 69, 71, 32, 118, 101, 114, 115, 105, 111, 110, 32, 50, 46, 53, 46, 48, 255,
    144, 0, 10, 0, 0, 0, 0, 0, 37, 0, 1, 255, 147, 207, 180, 8, 4, 79, 199, 212, 2, 8, 207, 180, 8,
    8, 31, 128, 128, 128, 128, 128, 128, 128, 128, 128, 255, 217,
  ]

  @Test("a JPEG 2000 with a part overwritten is shown with the damage, and so is one that is cut")
  func damagedJPEG2000() async throws {
    let whole = try await Shown(Self.jpeg2000)
    #expect(whole.damage == nil)
    let data = try #require(
      Self.jpeg2000.indices.last { Self.jpeg2000[$0...].starts(with: [0xff, 0x93]) })
    var file = Self.jpeg2000
    file.replaceSubrange((data + 6)..<(data + 8), with: [255, 255])
    let damaged = try await Shown(file)
    #expect(damaged.damage?.code == .damaged, "\(damaged.damage?.detail ?? "")")
    let cut = await #expect(throws: RenderError.self) {
      guard let damage = try await Shown(Array(Self.jpeg2000.dropLast(12))).damage else { return }
      throw damage
    }
    #expect(cut?.isDamage == true)
    // The code stream alone, and with a length that goes to its end.
    let stream = try #require(
      Self.jpeg2000.indices.first { Self.jpeg2000[$0...].starts(with: [0xff, 0x4f, 0xff, 0x51]) })
    var bare = Array(Self.jpeg2000[stream...])
    #expect(try await Shown(bare).damage == nil)
    let part = try #require(bare.indices.first { bare[$0...].starts(with: [0xff, 0x90]) })
    bare.replaceSubrange((part + 6)..<(part + 10), with: [0, 0, 0, 0])
    #expect(try await Shown(bare).damage == nil)
  }

  /// Whether it is in the header box or behind it, where OpenJPEG finds it too: libvips 8.14 writes beyond its memory.
  @Test(
    "a JPEG 2000 with a palette does not reach libvips, and is not called damaged",
    arguments: [true, false])
  func palette(isInHeader: Bool) async throws {
    // Two colours of three components of eight bits each, and what the components are made from.
    let palette: [UInt8] =
      [0, 0, 0, 20] + Array("pclr".utf8) + [0, 2, 3, 7, 7, 7, 200, 80, 20, 0, 0, 0]
    let mapping: [UInt8] =
      [0, 0, 0, 20] + Array("cmap".utf8) + [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2]
    var file = Self.jpeg2000
    let header = try #require(
      file.indices.first { file[$0...].starts(with: Array("jp2h".utf8)) })
    let end = header - 4 + Int(file[header - 1])
    file.insert(contentsOf: palette + mapping, at: end)
    if isInHeader { file[header - 1] += 40 }
    let bytes = file
    let error = await #expect(throws: RenderError.self) { try await Shown(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("palette") == true, "\(error?.detail ?? "")")
  }

  @Test("the name of a palette in the compressed data of a JPEG 2000 is none")
  func noPalette() async throws {
    let comment: [UInt8] = [0, 0, 0, 12] + Array("xml pclr".utf8)
    #expect(try await Shown(Self.jpeg2000 + comment).damage == nil)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// - Parameter entries: the side, the bits of a pixel and the data of each.
  private static func icon(_ entries: [(side: Int, bits: Int, data: [UInt8])]) -> [UInt8] {
    var file = little(0, 2) + little(1, 2) + little(entries.count, 2)
    var offset = 6 + 16 * entries.count
    for entry in entries {
      file += [UInt8(entry.side & 255), UInt8(entry.side & 255), 0, 0] + little(1, 2)
      file += little(entry.bits, 2) + little(entry.data.count, 4) + little(offset, 4)
      offset += entry.data.count
    }
    return file + entries.flatMap(\.data)
  }

  /// A bitmap of one colour, as icons hold it; its mask hides the lower half.
  private static func bitmap(_ side: Int, bits: Int, alpha: UInt8 = 0) -> [UInt8] {
    let pixel: [UInt8] = [20, 80, 200] + (bits == 32 ? [alpha] : [])
    let padding = [UInt8](repeating: 0, count: (4 - side * pixel.count % 4) % 4)
    let row = Array(repeatElement(pixel, count: side).joined()) + padding
    // Rows are stored from below.
    let mask = (0..<side).flatMap { y in
      [UInt8](repeating: y < side / 2 ? 255 : 0, count: (side + 31) / 32 * 4)
    }
    return little(40, 4) + little(side, 4) + little(side * 2, 4) + little(1, 2) + little(bits, 2)
      + little(0, 24) + Array(repeatElement(row, count: side).joined()) + mask
  }

  @Test(
    "are images of the content of the file",
    arguments: [(jpegXL, ResourceFormat.jpegXL), (jpeg2000, .jpeg2000)])
  func newer(_ file: [UInt8], _ format: ResourceFormat) async throws {
    let shown = try await Shown(file)
    #expect((shown.info.format, shown.info.width, shown.info.height) == (format, 8, 8))
    #expect(distance(shown.colour(4, 4), Self.colour) <= 2)
    for count in [14, file.count / 2, file.count - 12] {
      let error = await #expect(throws: RenderError.self) {
        try await Shown(Array(file.prefix(count)))
      }
      #expect(error?.code != .worker, "\(error?.detail ?? "")")
    }
  }

  /// 8 × 8 pixels of one colour of half the opacity, as libjxl 0.7 writes them, with the description of alpha replaced by
  /// one that says that the colours are multiplied by it (ISO/IEC 18181-1, annex D).
  private static let premultipliedJPEGXL: [UInt8] = [
    255, 10, 65, 192, 0, 8, 138, 11, 1, 8, 8, 16, 0, 100, 0, 75, 24, 139, 21, 194, 65, 3, 30, 189,
    128, 4, 0, 33, 63, 110, 81, 1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]

  @Test("of a JPEG XL whose colours are multiplied by alpha have the colours themselves")
  func premultiplied() async throws {
    let bare = Self.premultipliedJPEGXL
    func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
      TestPicture.number(contents.count + 8) + Array(type.utf8) + contents
    }
    let head = box("JXL ", [13, 10, 135, 10]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
    for (name, file) in [
      ("bare", bare), ("in a box", head + box("jxlc", bare)),
      (
        "in parts",
        head + box("jxlp", [0, 0, 0, 0] + bare.prefix(20))
          + box("jxlp", [128, 0, 0, 1] + bare.dropFirst(20))
      ),
    ] {
      let shown = try await Shown(file)
      #expect(shown.info.format == .jpegXL && shown.info.hasAlpha, "\(name)")
      #expect(distance(shown.colour(4, 4), [199, 100, 50, 128]) <= 2, "\(name)")
    }
  }

  @Test("of an icon file show the largest of its pictures, PNG or bitmap, with its mask")
  func icon() async throws {
    let png = TestPicture.png(width: 48, height: 48)
    let small = Self.bitmap(16, bits: 24)
    let mixed = try await Shown(Self.icon([(16, 24, small), (48, 32, png)]))
    #expect((mixed.info.format, mixed.info.width, mixed.info.height) == (.ico, 48, 48))
    #expect(mixed.colour(20, 20) == Self.colour)
    for bits in [24, 32] {
      let shown = try await Shown(Self.icon([(32, bits, Self.bitmap(32, bits: bits))]))
      #expect(shown.colour(5, 5) == Self.colour)
      #expect(shown.colour(5, 30)[3] == 0)
    }
    let alpha = try await Shown(Self.icon([(32, 32, Self.bitmap(32, bits: 32, alpha: 255))]))
    #expect(alpha.colour(5, 30) == Self.colour)
  }

  @Test("of a cursor file are the same as of an icon file")
  func cursor() async throws {
    var file = Self.icon([(32, 24, Self.bitmap(32, bits: 24))])
    file[2] = 2
    // The place that points, instead of the planes and bits.
    file.replaceSubrange(10..<14, with: [7, 0, 9, 0])
    let shown = try await Shown(file)
    #expect((shown.info.format, shown.info.width) == (.cur, 32))
    #expect(shown.colour(5, 5) == Self.colour && shown.colour(5, 30)[3] == 0)
  }

  @Test("of an icon file say once that it is damaged")
  func iconReason() async throws {
    let file = Self.icon([(32, 24, [UInt8](repeating: 7, count: 60))])
    let error = await #expect(throws: RenderError.self) { try await Shown(file) }
    let reason = error?.detail ?? ""
    #expect(reason.hasPrefix("the ICO file is damaged"))
    #expect(reason.ranges(of: "is damaged").count == 1, "\(reason)")
  }

  @Test("of a damaged icon file show the next picture, and say so")
  func damagedIcon() async throws {
    let small = Self.bitmap(16, bits: 24)
    let broken = Self.icon([(32, 24, [UInt8](repeating: 7, count: 60)), (16, 24, small)])
    let shown = try await Shown(broken)
    #expect(shown.damage?.code == .damaged)
    #expect(shown.info.width == 16)
    let whole = Self.icon([(16, 24, small)])
    let cut = try await Shown(Array(whole.prefix(500)))
    #expect(cut.damage?.code == .truncated)
    for count in [23, 30, 62] {
      let error = await #expect(throws: RenderError.self) {
        try await Shown(Array(whole.prefix(count)))
      }
      #expect(error?.isDamage == true, "\(error?.detail ?? "")")
    }
  }

  @Test(
    "of an SVG show the content of the file, and nothing that it refers to",
    arguments: [true, false])
  func svg(_ isConfined: Bool) async throws {
    let folder = try ScratchFolder()
    let secret = try folder.file("secret.png", TestPicture.png(width: 40, height: 40))
    _ = try folder.file("style.css", Array("rect { fill: red }".utf8))
    let references = [
      "<image href=\"file://\(secret)\" width=\"40\" height=\"40\"/>",
      "<image xlink:href=\"\(secret)\" width=\"40\" height=\"40\"/>",
      "<image href=\"secret.png\" width=\"40\" height=\"40\"/>",
      "<image href=\"http://127.0.0.1:9/a.png\" width=\"40\" height=\"40\"/>",
      "<use href=\"file:///etc/passwd#a\"/>",
      "<style>@import url(\"file://\(folder.path)/style.css\");</style>",
      "<script>document.documentElement.remove()</script>",
      "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"/etc/passwd\" parse=\"text\"/>",
      "<text y=\"30\">&secret;</text>",
    ]
    var configuration = WorkerPoolConfiguration.test(workers: 1)
    configuration.sandbox = isConfined ? .available : .none
    let renderer = WorkerPoolRenderer(configuration)
    func pixels(_ body: String, _ name: String) async throws -> PixelRendition {
      let path = try folder.file(
        name,
        Array(
          """
          <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
          <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
          width="40" height="40">\(body)<rect x="20" width="20" height="40" fill="#0000ff"/></svg>
          """.utf8))
      let result = try await renderer.render(RenderJob(path: path, sides: [40], quality: 0))
      #expect(result.info.format == .svg)
      return try #require(result.renditions.first.flatMap { PixelRendition($0) })
    }
    let plain = try await pixels("", "plain.svg")
    let blue = Array(plain.pixels.suffix(4))
    #expect(blue == [255, 0, 0, 255])
    for reference in references {
      do throws(RenderError) {
        let shown = try await rendered(reference)
        #expect(shown == plain, "\(reference)")
      } catch {
        // Refused as a whole: as good.
        #expect(error.isDamage || error.code == .unsupported, "\(reference): \(error.detail)")
      }
    }
    func rendered(_ reference: String) async throws(RenderError) -> PixelRendition {
      do {
        return try await pixels(reference, "reference.svg")
      } catch let error as RenderError {
        throw error
      } catch {
        throw RenderError(.worker, "\(error)")
      }
    }
    await renderer.shutdown()
  }
}
