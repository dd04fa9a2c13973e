import Decoding
import Models
import Testing

/// The expected texts are the output of ExifRead 3.0.1 for the same bytes.
@Suite("EXIF tags") struct EXIFTagsTests {
  private struct Field {
    let tag: Int
    let type: Int
    let count: Int
    let value: [UInt8]

    init(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) {
      (self.tag, self.type, self.count, self.value) = (tag, type, count, value)
    }

    static func text(_ tag: Int, _ text: String) -> Field {
      Field(tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    }
  }

  /// A writer of blocks; the byte order is big-endian unless stated.
  private struct Block {
    let isBigEndian: Bool
    private(set) var bytes: [UInt8]

    init(isBigEndian: Bool = true) {
      self.isBigEndian = isBigEndian
      bytes = Array((isBigEndian ? "MM\0*" : "II*\0").utf8) + [0, 0, 0, 0]
    }

    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }

    func short(_ tag: Int, _ values: Int...) -> Field {
      Field(tag, 3, values.count, values.flatMap { number($0, 2) })
    }

    func long(_ tag: Int, _ values: Int...) -> Field {
      Field(tag, 4, values.count, values.flatMap { number($0, 4) })
    }

    func ratio(_ tag: Int, type: Int = 5, _ values: Int...) -> Field {
      Field(tag, type, values.count / 2, values.flatMap { number($0, 4) })
    }

    /// Appends a directory and its values, and makes it the first one.
    @discardableResult
    mutating func add(_ fields: [Field], next: Int = 0) -> Int {
      let directory = bytes.count
      bytes += number(fields.count, 2) + [UInt8](repeating: 0, count: fields.count * 12)
      bytes += number(next, 4)
      for (index, field) in fields.enumerated() {
        var value = field.value
        if value.count > 4 {
          bytes += value
          value = number(bytes.count - value.count, 4)
        }
        value += [UInt8](repeating: 0, count: 4 - value.count)
        let entry = number(field.tag, 2) + number(field.type, 2) + number(field.count, 4) + value
        let start = directory + 2 + index * 12
        bytes.replaceSubrange(start..<(start + 12), with: entry)
      }
      bytes.replaceSubrange(4..<8, with: number(directory, 4))
      return directory
    }
  }

  private func json(_ bytes: [UInt8], _ format: ResourceFormat = .tiff) -> String? {
    bytes.withUnsafeBytes { EXIFTags.json(ByteView($0), format: format) }
  }

  private func json(_ fields: [Field]) -> String? {
    var block = Block()
    block.add(fields)
    return json(block.bytes)
  }

  @Test("are printed as Python prints them, in both byte orders", arguments: [true, false])
  func values(_ isBigEndian: Bool) {
    var block = Block(isBigEndian: isBigEndian)
    block.add([
      .text(0x010f, "Canon "), block.short(0x0102, 8, 8, 8), block.short(0x0112, 6),
      block.ratio(0x011a, 72, 1), block.ratio(0x829a, 10, 6_000), block.ratio(0x829d, 0, 0),
      block.ratio(0x9204, type: 10, -2, 6), block.ratio(0x9201, type: 10, 6, -4),
      block.ratio(0x9205, 5, 0, 4, 2), block.long(0x0100, 4_000_000_000),
      Field(0x9999, 9, 1, block.number(-5, 4)),
    ])
    let expected = """
      {"Image Make": "Canon", "Image BitsPerSample": "[8, 8, 8]", \
      "Image Orientation": "Rotated 90 CW", "Image XResolution": "72", \
      "Image ExposureTime": "1/600", "Image FNumber": "0/0", "Image ExposureBiasValue": "-1/3", \
      "Image ShutterSpeedValue": "-3/2", "Image MaxApertureValue": "[5/0, 2]", \
      "Image ImageWidth": "4000000000", "Image Tag 0x9999": "-5"}
      """
    #expect(json(block.bytes) == expected)
  }

  @Test("of the GPS come before the tag that points to them, those of the EXIF directory last")
  func order() {
    var block = Block()
    let place = block.add([
      .text(1, "N"), block.ratio(2, 52, 1, 31, 1, 1_234, 100), Field(5, 1, 1, [1]),
    ])
    let interoperability = block.add([.text(1, "R98")])
    let exif = block.add([block.short(0x9209, 25), block.long(0xa005, interoperability)])
    let third = block.add([block.short(0x0103, 5)])
    let thumbnail = block.add([block.short(0x0103, 6)], next: third)
    block.add(
      [block.long(0x8769, exif), block.long(0x8825, place), .text(0x0131, "imgdl")],
      next: thumbnail)
    let expected = """
      {"Image ExifOffset": "\(exif)", "GPS GPSLatitudeRef": "N", \
      "GPS GPSLatitude": "[52, 31, 617/50]", "GPS GPSAltitudeRef": "0", \
      "Image GPSInfo": "\(place)", "Image Software": "imgdl", \
      "Thumbnail Compression": "JPEG (old-style)", "IFD 2 Compression": "LZW", \
      "EXIF Flash": "Flash fired, auto mode", "Interoperability InteroperabilityIndex": "R98", \
      "EXIF InteroperabilityOffset": "\(interoperability)"}
      """
    #expect(json(block.bytes) == expected)
  }

  @Test("that repeat keep their first place and their last text")
  func repetition() {
    let fields: [Field] = [.text(0x010f, "a"), .text(0x0110, "b"), .text(0x010f, "c")]
    #expect(json(fields) == #"{"Image Make": "c", "Image Model": "b"}"#)
  }

  @Test("follow ExifRead where it is wrong: bytes are 0, and a list of 1,000 numbers is empty")
  func peculiarities() {
    let block = Block()
    let many = [UInt8](repeating: 1, count: 2_000)
    let fields = [
      Field(0x9000, 7, 4, Array("0230".utf8)), Field(0x9101, 7, 4, [1, 2, 3, 0]),
      Field(0x828e, 7, 4, [1, 2, 3, 4]), block.short(0x9c9d, 0x4a, 0x12, 0x6f),
      block.short(0x011d, 3, 999), block.short(0x0112, 1, 99),
      Field(0x0111, 3, 999, many), Field(0x0117, 3, 1_000, many), Field(0x0103, 3, 1_000, many),
      Field(0x0144, 4, 0, []), Field(0x0145, 14, 1, []), Field(0x02bc, 1, 1, [1]),
      Field(0x927c, 7, 1, [1]), Field(0x9286, 7, 1, [1]),
    ]
    let list = String(repeating: "257, ", count: 20)
    let expected = """
      {"Image ExifVersion": "", "Image ComponentsConfiguration": "", \
      "Image CFAPattern": "[0, 0, 0, 0]", "Image XPAuthor": "Jo", "Image PageName": "3999", \
      "Image Orientation": "Horizontal (normal)99", "Image StripOffsets": "[\(list)... ]", \
      "Image StripByteCounts": "[]", "Image Compression": "", "Image TileOffsets": "[]"}
      """
    #expect(json(fields) == expected)
  }

  @Test("in text are cut at the zero byte, trimmed and escaped")
  func texts() {
    let long = [UInt8](repeating: 0xff, count: 60)
    let fields: [Field] = [
      .text(0x010e, "\u{a0}é \"\\\" \n\u{7f} 😀\u{1f}"), Field(0x010f, 2, 7, Array("ab\0cdef".utf8)),
      Field(0x0110, 2, 4, [0x27, 0xe9, 0x09, 0x5c]), Field(0x0131, 2, 60, long),
      Field(0x0112, 2, 4, [0x61, 0x27, 0xc2, 0xad]), Field(0x0103, 2, 2, [7, 0xff]),
      Field(0x9000, 2, 4, Array(" 23 ".utf8)), Field(0xa000, 2, 4, [0x30, 0xe9, 0x07, 0x20]),
      Field(0x0132, 2, 0, []), Field(0x013b, 2, 100, Array("the last bytes".utf8)),
    ]
    let start = String(repeating: #"\\xff"#, count: 20)
    let expected = #"""
      {"Image ImageDescription": "\u00e9 \"\\\" \n\u007f \ud83d\ude00", "Image Make": "ab", \#
      "Image Model": "b\"'\\xe9\\t\\\\\"", "Image Software": "b'\#(start), ... ]", \#
      "Image Orientation": "'a'\"'\"'\\xad'", "Image Compression": "JPEG255", \#
      "Image ExifVersion": "23", "Image FlashPixVersion": "0\u00e9", "Image DateTime": "", \#
      "Image Artist": "the last bytes"}
      """#
    #expect(json(fields) == expected)
  }

  @Test(
    "that are floating-point numbers are tuples",
    arguments: [
      (0.5, "0.5"), (-0.0, "-0.0"), (1e16, "1e+16"), (9_999_999_999_999_998, "9999999999999998.0"),
      (1e-5, "1e-05"), (0.0001, "0.0001"), (.infinity, "inf"), (-.nan, "nan"),
    ])
  func floats(_ value: Double, _ text: String) {
    let block = Block()
    let double = block.number(Int(bitPattern: UInt(value.bitPattern)), 8)
    let float = block.number(Int(Float(0.1).bitPattern), 4)
    let expected = #"{"Image Gamma": "(\#(text),)", "Image Noise": "(0.10000000149011612,)"}"#
    #expect(json([Field(0xa500, 12, 1, double), Field(0x920d, 11, 1, float)]) == expected)
  }

  private static let make: [UInt8] = {
    var block = Block()
    block.add([.text(0x010f, "Canon")])
    return block.bytes
  }()
  private static let makeText = #"{"Image Make": "Canon"}"#

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  private static func jpeg(_ parts: [UInt8]...) -> [UInt8] {
    [0xff, 0xd8] + Array(parts.joined())
      + segment(0xdb, [UInt8](repeating: 0, count: 65)) + [0xff, 0xd9]
  }

  @Test("of a JPEG are found after other segments, as far as ExifRead searches")
  func inJPEG() {
    let tags = Self.segment(0xe1, Array("Exif\0\0".utf8) + Self.make)
    let jfif = Self.segment(0xe0, Array("JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\0\0".utf8))
    let comment = Self.segment(0xfe, [UInt8](repeating: 0x20, count: 3_000))
    let xmp = Self.segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
    for parts in [tags, jfif + tags, jfif + comment + tags, xmp + tags, jfif + jfif + xmp + tags] {
      #expect(json(Self.jpeg(parts), .jpeg) == Self.makeText)
    }
    #expect(json(Self.jpeg(comment, comment, tags), .jpeg) == "{}")
    #expect(json(Self.jpeg(jfif), .jpeg) == "{}")
    #expect(json(Self.jpeg(Self.segment(0xe1, Array("Exif\0\0XX".utf8))), .jpeg) == nil)
    #expect(json([0xff, 0xd8, 0xff], .jpeg) == nil)
    #expect(json([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0], .jpeg) == "{}")
    #expect(json([0xff, 0xd8, 0xff, 0xe0, 0], .jpeg) == nil)
  }

  private static func webP(chunk: Int, prefix: String = "") -> [UInt8] {
    let tags = Array(prefix.utf8) + make
    let header =
      Array("RIFF\0\0\0\0WEBPVP8X\u{a}\0\0\0".utf8) + [8] + [UInt8](repeating: 0, count: 9)
    let pixels =
      Array("VP8 ".utf8) + [UInt8(chunk), 0, 0, 0]
      + [UInt8](repeating: 0, count: chunk + chunk % 2)
    return header + pixels + Array("EXIF".utf8) + [UInt8(tags.count), 0, 0, 0] + tags
  }

  @Test("of a WebP are found if the chunks before them have even sizes")
  func inWebP() {
    #expect(json(Self.webP(chunk: 6), .webp) == Self.makeText)
    #expect(json(Self.webP(chunk: 7), .webp) == "{}")
    #expect(json(Self.webP(chunk: 6, prefix: "Exif\0\0"), .webp) == nil)
    #expect(json(Fixtures.webP, .webp) == "{}")
    #expect(json(Fixtures.animatedWebP, .webp) == "{}")
  }

  @Test("are not read from other formats")
  func otherFormats() {
    let png =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, UInt8(Self.make.count)]
      + Array("eXIf".utf8) + Self.make + [0, 0, 0, 0]
    #expect(json(png, .png) == "{}")
    #expect(json(Array("\0\0\0\u{18}ftypavif".utf8), .avif) == "{}")
    #expect(json(Array("\0\0\0\u{18}ftypmif1".utf8), .heif) == "{}")
    #expect(json(Array("\0\0\0\u{18}ftypheic".utf8), .heif) == nil)
    #expect(json([], .unknown) == "{}")
  }

  @Test("of a block on which ExifRead fails are nil")
  func failures() {
    let block = Block()
    let fields = [
      // The value of a short and of a floating-point number lies beyond the file in part or as a whole.
      Field(0x0100, 4, 2, [1, 2, 3, 4, 5, 6]), Field(0x0100, 11, 2, [1, 2, 3, 4, 5]),
      // The offsets of directories are before the file, a fraction without a value, and missing.
      Field(0x8825, 9, 1, block.number(-5, 4)), block.ratio(0x8825, 1, 0),
      Field(0x8769, 4, 0, []), Field(0x8769, 2, 1, [0]),
    ]
    for field in fields { #expect(json([field]) == nil, "\(field)") }
    #expect(json(Array("II*\0\u{8}\0".utf8)) == nil)
  }

  @Test("with an offset of a directory that cannot be one are printed only")
  func ignoredOffsets() {
    let block = Block()
    let fields = [
      Field(0x8825, 4, 0, []), block.ratio(0x8825, 8, 1), .text(0x8825, "8"),
      Field(0x8825, 4, 1, block.number(0xffff_ffff, 4)), .text(0x8769, "8"),
    ]
    let texts = ["[]", "8", "8", "4294967295", "8"]
    for (field, text) in zip(fields, texts) {
      let name = field.tag == 0x8825 ? "GPSInfo" : "ExifOffset"
      #expect(json([field]) == #"{"Image \#(name)": "\#(text)"}"#)
    }
  }

  @Test("end where the directories loop, and are nil for a block that takes too much work")
  func loops() {
    var block = Block()
    let directory = block.add([block.short(0x0112, 1)], next: 8)
    #expect(json(block.bytes) == #"{"Image Orientation": "Horizontal (normal)"}"#)
    block = Block()
    block.add([.text(0x0001, "N"), block.long(0x8825, directory), block.long(0x8769, directory)])
    let expected = """
      {"Image Tag 0x0001": "N", "GPS GPSLatitudeRef": "N", "GPS Tag 0x8825": "8", \
      "GPS Tag 0x8769": "8", "Image GPSInfo": "8", "Image ExifOffset": "8", \
      "EXIF Tag 0x0001": "N", "EXIF GPSInfo": "8", "EXIF ExifOffset": "8"}
      """
    #expect(json(block.bytes) == expected)
    block = Block()
    block.add([Field](repeating: block.long(0x8825, directory), count: 20_000))
    #expect(json(block.bytes) == nil)
  }

  @Test("of a block that is cut anywhere, or in which any byte is changed, do no harm")
  func total() {
    var block = Block(isBigEndian: false)
    let place = block.add([.text(1, "N"), block.ratio(2, 52, 1, 31, 1, 1_234, 100)])
    let exif = block.add([block.ratio(0x829a, 10, 6_000), .text(0x9003, "2024:01:02 03:04:05")])
    block.add([block.long(0x8769, exif), block.long(0x8825, place)], next: exif)
    let whole = Self.jpeg(Self.segment(0xe1, Array("Exif\0\0".utf8) + block.bytes))
    for count in whole.indices { _ = json(Array(whole.prefix(count)), .jpeg) }
    for index in whole.indices {
      for value in [UInt8(0), 1, 0x7f, 0x80, 0xff] {
        var bytes = whole
        bytes[index] = value
        _ = json(bytes, .jpeg)
      }
    }
  }
}
