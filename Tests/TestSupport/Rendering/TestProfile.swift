import Glibc

/// A colour profile that no picture of the web has, so that it cannot go unnoticed: sRGB's primaries with
/// red and blue exchanged, and values in proportion to light (ICC.1:2001, version 2).
public enum TestProfile {
  /// Of a pixel in this profile: red, green and blue of sRGB, by IEC 61966-2-1.
  public static func sRGB(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> [UInt8] {
    [blue, green, red].map { value in
      let light = Double(value) / 255
      let curved = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8(curved * 255 + 0.5)
    }
  }

  public static let bytes = profile(
    "RGB ",
    [
      // sRGB's, adapted to the white of the profile connection space.
      ("rXYZ", xyz(0.1431, 0.0606, 0.7139)), ("gXYZ", xyz(0.3851, 0.7169, 0.0971)),
      ("bXYZ", xyz(0.4360, 0.2225, 0.0139)), ("rTRC", linear), ("gTRC", linear), ("bTRC", linear),
    ])

  /// For grey in proportion to light.
  public static let grey = profile("GRAY", [("kTRC", linear)])

  /// A table for the perceptual intent alone, as that of a JPEG in XYB: red and blue are exchanged.
  public static let perceptual: [UInt8] = {
    let same = (0...255).map { UInt8($0) }
    // L*, a* and b* of the colours whose components are 0 or 255, blue varying fastest; the others are grey.
    let corners: [[UInt8]] = [
      [0, 128, 128], [138, 209, 198], [128, 128, 128], [128, 128, 128], [75, 196, 16],
      [128, 128, 128], [128, 128, 128], [255, 128, 128],
    ]
    let matrix = [1.0, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed)
    let tables = [same, same, same, Array(corners.joined()), same, same, same].flatMap(\.self)
    let parts: [[UInt8]] = [Array("mft1".utf8), number(0), [3, 3, 2, 0], matrix, tables]
    let table = Array(parts.joined())
    return profile("RGB ", connection: "Lab ", [("A2B0", table)])
  }()

  private static func profile(
    _ space: String, connection: String = "XYZ ", _ colours: [(name: String, body: [UInt8])]
  ) -> [UInt8] {
    let tags =
      [("desc", description), ("cprt", text("none")), ("wtpt", xyz(0.9642, 1, 0.8249))] + colours
    var table = number(tags.count)
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for tag in tags {
      table += Array(tag.name.utf8) + number(start + data.count) + number(tag.body.count)
      data += tag.body + [UInt8](repeating: 0, count: (4 - tag.body.count % 4) % 4)
    }
    return header(space, connection, size: start + data.count) + table + data
  }

  private static func header(_ space: String, _ connection: String, size: Int) -> [UInt8] {
    let date: [UInt8] = [7, 0xd0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    let start =
      number(size) + number(0) + [2, 0x40, 0, 0] + Array("mntr\(space)\(connection)".utf8) + date
      + Array("acsp".utf8)
    let illuminant = fixed(0.9642) + fixed(1) + fixed(0.8249)
    return start + [UInt8](repeating: 0, count: 28) + illuminant
      + [UInt8](repeating: 0, count: 48)
  }

  private static let description: [UInt8] = {
    let name = Array("exchanged and linear".utf8) + [0]
    return Array("desc".utf8) + number(0) + number(name.count) + name
      + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
  }()

  /// A curve without points is a straight line.
  private static let linear: [UInt8] = Array("curv".utf8) + number(0) + number(0)

  private static func text(_ text: String) -> [UInt8] {
    Array("text".utf8) + number(0) + Array(text.utf8) + [0]
  }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + number(0) + fixed(x) + fixed(y) + fixed(z)
  }

  private static func fixed(_ value: Double) -> [UInt8] { number(Int(value * 65_536 + 0.5)) }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
