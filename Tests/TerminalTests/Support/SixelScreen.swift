/// A decoder of sixels: colours and pixels of one image.
struct SixelScreen {
  private(set) var pixels: [[(red: Int, green: Int, blue: Int)?]] = []

  /// - Parameter bytes: from `ESC P` to `ESC \`.
  init(_ bytes: some Sequence<UInt8>) throws {
    var scanner = Scanner(Array(bytes))
    guard scanner.skip(past: UInt8(ascii: "q")) else { throw Decoding.Damaged() }
    var palette: [Int: (Int, Int, Int)] = [:]
    var colour = 0
    var x = 0
    var band = 0
    while let byte = scanner.next(), byte != 0x1b {
      switch byte {
      case UInt8(ascii: "\""): _ = scanner.numbers()
      case UInt8(ascii: "#"):
        let list = scanner.numbers()
        colour = list.first ?? 0
        if list.count == 5 {
          guard list[1] == 2 else { throw Decoding.Damaged() }
          palette[colour] = (list[2] * 255 / 100, list[3] * 255 / 100, list[4] * 255 / 100)
        }
      case UInt8(ascii: "!"):
        let count = scanner.numbers().first ?? 1
        guard let sixel = scanner.next() else { throw Decoding.Damaged() }
        draw(sixel, x, count, band, palette[colour])
        x += count
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"):
        x = 0
        band += 1
      case 0x3f...0x7e:
        draw(byte, x, 1, band, palette[colour])
        x += 1
      default: throw Decoding.Damaged()
      }
    }
  }

  private mutating func draw(
    _ sixel: UInt8, _ x: Int, _ count: Int, _ band: Int, _ colour: (Int, Int, Int)?
  ) {
    for bit in 0..<6 where (sixel - 0x3f) >> bit & 1 == 1 {
      let y = band * 6 + bit
      while pixels.count <= y { pixels.append([]) }
      while pixels[y].count < x + count { pixels[y].append(nil) }
      for column in x..<x + count { pixels[y][column] = colour.map { ($0.0, $0.1, $0.2) } }
    }
  }

  private struct Scanner {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> UInt8? {
      guard at < bytes.count else { return nil }
      defer { at += 1 }
      return bytes[at]
    }

    mutating func skip(past byte: UInt8) -> Bool {
      while let found = next() { if found == byte { return true } }
      return false
    }

    mutating func numbers() -> [Int] {
      var result = [0]
      while at < bytes.count {
        switch bytes[at] {
        case 0x30...0x39:
          result[result.count - 1] = result[result.count - 1] * 10 + Int(bytes[at] - 0x30)
        case UInt8(ascii: ";"): result.append(0)
        default: return result
        }
        at += 1
      }
      return result
    }
  }
}
