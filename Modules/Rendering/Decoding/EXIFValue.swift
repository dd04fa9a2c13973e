import Rendering

/// The types of a field (TIFF 6.0, section 2) and of a directory offset (TIFF Technical Note 1).
enum EXIFType: Int {
  case byte = 1
  case ascii, short, long, ratio, signedByte, undefined, signedShort, signedLong, signedRatio
  case float, double, directory

  /// The size of a value in bytes.
  var size: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .ratio, .signedRatio, .double: 8
    }
  }

  var isSigned: Bool {
    switch self {
    case .signedByte, .signedShort, .signedLong, .signedRatio: true
    default: false
    }
  }
}

/// A fraction in lowest terms with a positive denominator, or with the denominator 0 as it was in the file.
struct EXIFRatio: CustomStringConvertible {
  let numerator: Int
  let denominator: Int

  /// - Parameters: Numbers of at most 32 bits.
  init(_ numerator: Int, _ denominator: Int) {
    var (divisor, rest) = (abs(denominator), abs(numerator))
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    if denominator == 0 { divisor = 1 }
    if denominator < 0 { divisor = -divisor }
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}

enum EXIFNumber: CustomStringConvertible {
  case integer(Int)
  case ratio(EXIFRatio)
  case real(Double)

  /// The number as Python prints it. ExifRead keeps a floating-point number in a tuple.
  var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .ratio(let value): "\(value)"
    case .real(let value): "(\(Self.text(value)),)"
    }
  }

  /// The number if it is an integer or a ratio that equals one.
  var integer: Int? {
    switch self {
    case .integer(let value): value
    case .ratio(let value): value.denominator == 1 ? value.numerator : nil
    case .real: nil
    }
  }

  private static func text(_ value: Double) -> String {
    if value.isNaN { return "nan" }
    // Swift prints these integers with an exponent, Python does not.
    let isLong = (9_007_199_254_740_992..<1e16).contains(value.magnitude)
    return isLong ? "\(Int(value)).0" : "\(value)"
  }
}

/// The values of a field.
enum EXIFValues {
  case text(String)
  /// A text that is not UTF-8.
  case bytes([UInt8])
  case numbers([EXIFNumber])

  var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .numbers(let numbers): numbers.isEmpty
    }
  }

  /// Returns the offset of a directory, or nil if there is no value or ExifRead ignores its type.
  func directoryOffset() throws(RenderError) -> Int? {
    switch self {
    case .text: return nil
    case .bytes(let bytes): return bytes.first.map { Int($0) }
    case .numbers(let numbers):
      switch numbers.first {
      case .integer(let offset): return offset
      case .ratio(let ratio) where ratio.denominator == 0: throw EXIFBlock.malformed
      default: return nil
      }
    }
  }

  /// Returns the values as Python prints them, a list of more than 50 values shortened to 20.
  /// - Parameter count: The number of values according to the field.
  func description(count: Int) -> String {
    switch self {
    case .text(let text): return text
    case .bytes(let bytes):
      guard count > 50, bytes.count > 20 else { return PythonLiteral.bytes(bytes) }
      return PythonLiteral.bytes(bytes.prefix(20)).dropLast() + ", ... ]"
    case .numbers(let numbers):
      if numbers.count == 1 { return numbers[0].description }
      let isShortened = numbers.count > 50
      let list = numbers.prefix(isShortened ? 20 : numbers.count).map(\.description)
      return "[" + list.joined(separator: ", ") + (isShortened ? ", ... ]" : "]")
    }
  }

  /// Returns the labels of the values without a separator. A value without a label is printed.
  func labelled(_ labels: [Int: String]) -> String {
    switch self {
    case .text(let text):
      text.unicodeScalars.reduce(into: "") { $0 += PythonLiteral.text($1) }
    case .bytes(let bytes):
      bytes.reduce(into: "") { $0 += labels[Int($1)] ?? "\($1)" }
    case .numbers(let numbers):
      numbers.reduce(into: "") { text, number in
        text += number.integer.flatMap { labels[$0] } ?? number.description
      }
    }
  }

  /// The values as characters of ISO 8859-1 without the control characters below 32. Numbers without any such
  /// character are printed one after the other, or not at all if they are all 0.
  var characters: String {
    let text: String
    switch self {
    case .text(let value): text = value
    case .bytes(let bytes): text = Self.latin(bytes.map { Int($0) })
    case .numbers(let numbers):
      let latin = Self.latin(
        numbers.compactMap { if case .integer(let value) = $0 { value } else { nil } })
      let digits = latin.isEmpty ? numbers.map(\.description).joined() : latin
      text = latin.isEmpty && digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") } ? "" : digits
    }
    return text.trimmed { $0 == " " || $0 == "\0" }
  }

  private static func latin(_ values: [Int]) -> String {
    let scalars = values.lazy.filter { (32..<256).contains($0) }.compactMap(Unicode.Scalar.init)
    return String(String.UnicodeScalarView(scalars))
  }
}
