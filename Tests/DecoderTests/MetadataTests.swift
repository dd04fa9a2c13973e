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
}
