import Decoding
import Models
import Rendering

/// The header of a portable anymap (`pbm`, `pgm` and `ppm` of Netpbm) or of a portable float map.
struct PNMHeader {
  /// The samples of an image.
  enum Samples {
    /// One bit each, of which 1 is black.
    case bits
    /// Unsigned numbers up to a largest one, which is white.
    case integers(largest: Int)
    /// Real numbers of 32 bits, from the lowest row to the highest.
    case reals(isBigEndian: Bool)
  }

  let width: Int
  let height: Int
  let samples: Samples
  let hasColour: Bool
  /// Whether the samples are decimal numbers in ASCII.
  let isPlain: Bool
  /// The offset of the first sample.
  let dataOffset: Int

  init(_ file: ByteView, limits: RenderLimits) throws(RenderError) {
    let kind = file.byte(1) ?? 0
    hasColour = "36F".utf8.contains(kind)
    isPlain = "123".utf8.contains(kind)
    var numbers = PNMNumbers(file, from: 2)
    guard let width = numbers.next(), let height = numbers.next() else {
      throw numbers.isAtEnd ? .truncated(.pnm) : .damaged(.pnm, "its size is not a number")
    }
    (self.width, self.height) = (width, height)
    switch kind {
    case UInt8(ascii: "1"), UInt8(ascii: "4"): samples = .bits
    case UInt8(ascii: "F"), UInt8(ascii: "f"):
      guard let scale = numbers.nextReal(), scale.isFinite, scale != 0 else {
        throw numbers.isAtEnd ? .truncated(.pnm) : .damaged(.pnm, "its scale is not a number")
      }
      samples = .reals(isBigEndian: scale > 0)
    default:
      guard let largest = numbers.next(), (1...65_535).contains(largest) else {
        throw numbers.isAtEnd
          ? .truncated(.pnm) : .damaged(.pnm, "its largest value is not from 1 to 65,535")
      }
      samples = .integers(largest: largest)
    }
    // One byte of white space follows the header of binary samples.
    dataOffset = numbers.offset + 1
    try limits.check(width: width, height: height)
  }

  var componentCount: Int { hasColour ? 3 : 1 }

  /// The number of bytes of a row of binary samples.
  var rowSize: Int {
    switch samples {
    case .bits: (width + 7) / 8
    case .integers(let largest): width * componentCount * (largest > 255 ? 2 : 1)
    case .reals: width * componentCount * 4
    }
  }
}

/// Reads the numbers of a header or of plain samples, between white space and comments.
struct PNMNumbers {
  private let file: ByteView
  private(set) var offset: Int

  init(_ file: ByteView, from offset: Int) {
    self.file = file
    self.offset = offset
  }

  var isAtEnd: Bool { offset >= file.count }

  private mutating func skipBlanks() {
    while let byte = file.byte(offset) {
      if byte == UInt8(ascii: "#") {
        offset = file.firstIndex(of: 0x0a, from: offset) ?? file.count
      } else if !Self.isBlank(byte) {
        return
      } else {
        offset += 1
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Returns the next number; nil if another character or the end follows, or the number has more than nine digits.
  mutating func next() -> Int? {
    skipBlanks()
    var (value, count) = (0, 0)
    while count < 10, let digit = digit(at: offset) {
      value = value * 10 + digit
      count += 1
      offset += 1
    }
    return (1...9).contains(count) ? value : nil
  }

  /// Returns the next digit, 0 or 1; plain bits need no white space between them.
  mutating func nextBit() -> Int? {
    skipBlanks()
    guard let digit = digit(at: offset), digit <= 1 else { return nil }
    offset += 1
    return digit
  }

  mutating func nextReal() -> Double? {
    skipBlanks()
    var text: [UInt8] = []
    while text.count < 64, let byte = file.byte(offset), !Self.isBlank(byte) {
      text.append(byte)
      offset += 1
    }
    return Double(String(decoding: text, as: UTF8.self))
  }

  private func digit(at offset: Int) -> Int? {
    guard let byte = file.byte(offset), (0x30...0x39).contains(byte) else { return nil }
    return Int(byte - 0x30)
  }
}
