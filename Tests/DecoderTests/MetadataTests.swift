import Decoding
import Testing

@Suite("EXIF and colour profiles") struct MetadataTests {
  private func block(_ bigEndian: Bool, orientation: Int, type: UInt8 = 3) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return bigEndian ? bytes.reversed() : bytes
    }
    let head: [UInt8] = bigEndian ? [0x4d, 0x4d, 0, 42] : [0x49, 0x49, 42, 0]
    let other = number(0x010f, 2) + number(2, 2) + number(1, 4) + number(0, 4)
    let value = type == 3 ? number(orientation, 2) + [0, 0] : number(orientation, 4)
    let entry = number(0x0112, 2) + number(Int(type), 2) + number(1, 4) + value
    return head + number(8, 4) + number(2, 2) + other + entry + number(0, 4)
  }

  private func orientation(_ bytes: [UInt8]) -> Orientation? {
    bytes.withUnsafeBytes { EXIF.orientation(ByteView($0)) }
  }

  @Test("gives the orientation in both byte orders and as short or long", arguments: 1...8)
  func reads(_ value: Int) {
    for bigEndian in [true, false] {
      for type in [UInt8(3), 4] {
        let found = orientation(block(bigEndian, orientation: value, type: type))
        #expect(found?.rawValue == UInt8(value))
      }
    }
  }

  @Test("gives nothing for values that mean nothing", arguments: [0, 9, 255, 65_535])
  func refuses(_ value: Int) {
    #expect(orientation(block(true, orientation: value)) == nil)
    #expect(orientation(block(true, orientation: value, type: 7)) == nil)
  }

  @Test("survives a block cut anywhere or with any byte changed")
  func total() {
    let whole = block(false, orientation: 6)
    // Up to the value itself: what follows is not needed.
    for count in 0..<(whole.count - 7) { #expect(orientation(Array(whole.prefix(count))) == nil) }
    for index in whole.indices {
      for value in [UInt8(0), 0x7f, 0xff] {
        var bytes = whole
        bytes[index] = value
        let found = orientation(bytes)
        #expect(found == nil || (1...8).contains(found?.rawValue ?? 0))
      }
    }
  }

  private func profile(_ space: String, description: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(16..<20, with: space.utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    let text = Array(description.utf8) + [0]
    bytes += [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, UInt8(12 + text.count)]
    return bytes + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(text.count)] + text
  }

  @Test(
    "tells sRGB from other colours by the description",
    arguments: [
      ("RGB ", "sRGB IEC61966-2.1", true), ("RGB ", "sRGB built-in", true), ("RGB ", "c2", true),
      ("RGB ", "Adobe RGB (1998)", false), ("RGB ", "Display P3", false),
      ("GRAY", "Dot Gain 20%", false), ("CMYK", "U.S. Web Coated (SWOP) v2", false),
    ])
  func profiles(_ space: String, _ description: String, _ isSRGB: Bool) {
    let bytes = profile(space, description: description)
    #expect(bytes.withUnsafeBytes { ColourProfile.isSRGB(ByteView($0)) } == isSRGB)
    for count in bytes.indices {
      _ = bytes.prefix(count).withUnsafeBytes { ColourProfile.isSRGB(ByteView($0)) }
    }
  }

  /// A profile with an embedded name, the primaries of red and green, and a curve for each colour.
  private func profile(
    _ description: String, red: [Double], green: [Double], curve: [UInt8]
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }
    func colour(_ values: [Double]) -> [UInt8] {
      Array("XYZ \0\0\0\0".utf8) + values.flatMap { number(Int($0 * 65_536) & 0xffff_ffff) }
    }
    let text = Array(description.utf8) + [0]
    let tags: [(String, [UInt8])] = [
      ("desc", Array("desc\0\0\0\0".utf8) + number(text.count) + text), ("rXYZ", colour(red)),
      ("gXYZ", colour(green)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(16..<20, with: "RGB ".utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    bytes += number(tags.count)
    var offset = bytes.count + 12 * tags.count
    for (name, data) in tags {
      bytes += Array(name.utf8) + number(offset) + number(data.count)
      offset += data.count
    }
    return bytes + tags.flatMap(\.1)
  }

  @Test("does not take a profile for sRGB whose curves or primaries are others, whatever its name")
  func misnamedProfiles() {
    func fixed(_ values: Double...) -> [UInt8] {
      values.flatMap { value in
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: Int(value * 65_536) >> (8 * $0)) }
      }
    }
    let (red, green) = ([0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971])
    let head = Array("curv\0\0\0\0\0\0\0".utf8)
    let gamma = head + [1, 2, 0x33]
    let srgb: [UInt8] =
      Array("para\0\0\0\0\0\u{3}\0\0".utf8)
      + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    let table: [UInt8] = head + [3, 0, 0, 0x36, 0xc9, 0xff, 0xff]
    let cases: [([Double], [Double], [UInt8], Bool)] = [
      (red, green, gamma, true), (red, green, srgb, true), (red, green, table, true),
      // Linear, as GIMP and Elle Stone's profiles name it, in three ways, and with a gamma of 1.8.
      (red, green, head + [0], false), (red, green, head + [1, 1, 0], false),
      (red, green, Array("para\0\0\0\0\0\0\0\0".utf8) + fixed(1), false),
      (red, green, head + [1, 1, 0xcd], false),
      // The primaries of Display P3, exchanged ones, and those of sRGB that are not adapted to white.
      ([0.5151, 0.2412, -0.0011], [0.292, 0.6922, 0.0419], gamma, false),
      (green, red, gamma, false),
      ([0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], gamma, true),
    ]
    for (index, (red, green, curve, isSRGB)) in cases.enumerated() {
      let bytes = profile("sRGB built-in", red: red, green: green, curve: curve)
      #expect(bytes.withUnsafeBytes { ColourProfile.isSRGB(ByteView($0)) } == isSRGB, "\(index)")
      for count in bytes.indices {
        _ = bytes.prefix(count).withUnsafeBytes { ColourProfile.isSRGB(ByteView($0)) }
      }
    }
  }
}
