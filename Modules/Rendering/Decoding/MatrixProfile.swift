/// ICC profiles of three primaries and a curve, or of grey and a curve (ICC.1:2010, sections 7 to 10).
public enum MatrixProfile {
  /// - Parameters:
  ///   - chromaticities: White, red, green and blue, each as x and y.
  ///   - curve: Returns the light of a sample from 0 to 1. Light of more than 1 is cut off.
  /// - Returns: nil for chromaticities that span no colours.
  public static func make(
    _ chromaticities: [Double], curve: (Double) -> Double
  ) -> [UInt8]? {
    guard chromaticities.count == 8, let primaries = primaries(chromaticities) else { return nil }
    var tags = zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { Tag(names: [$0], data: xyz($1)) }
    tags.append(Tag(names: ["rTRC", "gTRC", "bTRC"], data: table(curve)))
    return profile(of: "RGB ", tags)
  }

  /// Returns a profile of images that have only grey.
  public static func makeGrey(curve: (Double) -> Double) -> [UInt8] {
    profile(of: "GRAY", [Tag(names: ["kTRC"], data: table(curve))])
  }

  /// Data of a profile, which several tags may share.
  private struct Tag {
    let names: [String]
    let data: [UInt8]
  }

  private static func table(_ curve: (Double) -> Double) -> [UInt8] {
    let steps = 4_096
    var table = Array("curv".utf8) + number(0) + number(steps)
    for step in 0..<steps {
      let light = min(1, max(0, curve(Double(step) / Double(steps - 1))))
      let value = Int((light * 65_535).rounded())
      table += [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    return table
  }

  private static func profile(of space: String, _ colours: [Tag]) -> [UInt8] {
    let name = "colors of the file".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let text =
      Array("mluc".utf8) + number(0) + number(1) + number(12) + Array("enUS".utf8)
      + number(name.count) + number(28) + name
    let white = [0.9642, 1, 0.8249]
    let tags =
      [Tag(names: ["desc", "cprt"], data: text), Tag(names: ["wtpt"], data: xyz(white))] + colours
    let count = tags.reduce(0) { $0 + $1.names.count }
    var body: [UInt8] = []
    var list: [UInt8] = []
    let start = 128 + 4 + 12 * count
    for tag in tags {
      body += [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      for name in tag.names {
        list += Array(name.utf8) + number(start + body.count) + number(tag.data.count)
      }
      body += tag.data
    }
    var header = number(start + body.count) + number(0) + [4, 0x30, 0, 0]
    header += Array("mntr\(space)XYZ ".utf8) + [0x07, 0xea, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += white.flatMap(fixed) + [UInt8](repeating: 0, count: 48)
    return header + number(count) + list + body
  }

  /// Returns the light of each primary at full strength, adapted from the file's white to that of profiles.
  private static func primaries(_ values: [Double]) -> [[Double]]? {
    guard values.allSatisfy({ $0.isFinite && abs($0) <= 2 }) else { return nil }
    func colour(_ index: Int) -> [Double]? {
      let (x, y) = (values[2 * index], values[2 * index + 1])
      return abs(y) > 0.000_1 ? [x / y, 1, (1 - x - y) / y] : nil
    }
    guard let white = colour(0), let red = colour(1), let green = colour(2), let blue = colour(3),
      let shares = solved([red, green, blue], white)
    else { return nil }
    let cones = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    func response(_ colour: [Double]) -> [Double] {
      cones.map { row in zip(row, colour).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    let (from, to) = (response(white), response([0.9642, 1, 0.8249]))
    guard from.allSatisfy({ abs($0) > 0.000_1 }) else { return nil }
    let columns = (0..<3).map { column in cones.map { $0[column] } }
    var adapted: [[Double]] = []
    for (primary, share) in zip([red, green, blue], shares) {
      let response = response(primary.map { $0 * share })
      let scaled = (0..<3).map { response[$0] * to[$0] / from[$0] }
      guard let light = solved(columns, scaled) else { return nil }
      adapted.append(light)
    }
    return adapted.joined().allSatisfy { abs($0) < 30_000 } ? adapted : nil
  }

  /// Returns the factors of three columns whose sum is a vector, by Cramer's rule; nil if there is no solution.
  private static func solved(_ columns: [[Double]], _ sum: [Double]) -> [Double]? {
    func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
      a[0] * (b[1] * c[2] - c[1] * b[2]) - b[0] * (a[1] * c[2] - c[1] * a[2])
        + c[0] * (a[1] * b[2] - b[1] * a[2])
    }
    let whole = determinant(columns[0], columns[1], columns[2])
    guard abs(whole) > 0.000_000_1 else { return nil }
    return [
      determinant(sum, columns[1], columns[2]) / whole,
      determinant(columns[0], sum, columns[2]) / whole,
      determinant(columns[0], columns[1], sum) / whole,
    ]
  }

  private static func xyz(_ colour: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + number(0) + colour.flatMap(fixed)
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    number(Int((value * 65_536).rounded()))
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
