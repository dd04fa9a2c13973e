/// A URL with ranges and alternatives, as curl has them: `http://h/[001-120].jpg`, `http://h/{a,b}.jpg`.
///
/// A range is of numbers or of letters, with an optional step: `[0-100:10]`, `[a-z]`. Numbers have at least the width
/// of the first one, which its leading zeros determine. The last part varies fastest. A backslash before a bracket or
/// a brace takes its meaning away. Brackets that contain no range, such as those of an IPv6 address, are left as they
/// are.
public struct URLPattern: Sendable, Equatable {
  /// The maximum number of URLs of one pattern.
  public static let limit = 1_000_000

  private enum Part: Sendable, Equatable {
    case fixed(String)
    case alternatives([String])
    case numbers(first: Int, count: Int, step: Int, width: Int)
    case letters(first: UInt8, count: Int, step: Int)

    var count: Int {
      switch self {
      case .fixed: 1
      case .alternatives(let words): words.count
      case .numbers(_, let count, _, _), .letters(_, let count, _): count
      }
    }

    func text(_ index: Int) -> String {
      switch self {
      case .fixed(let text): return text
      case .alternatives(let words): return words[index]
      case .numbers(let first, _, let step, let width):
        let digits = String(first + index * step)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      case .letters(let first, _, let step):
        return String(UnicodeScalar(UInt8(truncatingIfNeeded: Int(first) + index * step)))
      }
    }
  }

  /// The error of a malformed pattern. Its description completes a sentence that begins with the pattern.
  public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
  }

  private var parts: [Part] = []
  /// The number of URLs.
  public let count: Int

  /// - Returns: nil if the text has neither a range nor alternatives.
  /// - Throws: If a range ends before it begins, or has too many URLs.
  public init?(_ text: String) throws(Failure) {
    var parser = Parser(text: Array(text.utf8))
    try parser.run()
    guard parser.parts.contains(where: { if case .fixed = $0 { false } else { true } }) else {
      return nil
    }
    parts = parser.parts
    var product = 1
    for part in parts {
      let (next, overflow) = product.multipliedReportingOverflow(by: part.count)
      guard !overflow, next <= Self.limit else {
        throw Failure(description: "the ranges have more than \(Self.limit) URLs")
      }
      product = next
    }
    count = product
  }

  /// Returns a URL of the pattern.
  /// - Parameter index: From 0 to `count - 1`.
  public func url(at index: Int) -> String {
    var rest = index
    var texts: [String] = []
    for part in parts.reversed() {
      texts.append(part.text(rest % part.count))
      rest /= part.count
    }
    return texts.reversed().joined()
  }

  /// One pass over the bytes of a pattern.
  private struct Parser {
    let text: [UInt8]
    var parts: [Part] = []
    private var fixed: [UInt8] = []
    private var index = 0

    init(text: [UInt8]) { self.text = text }

    mutating func run() throws(Failure) {
      while index < text.count {
        let byte = text[index]
        if byte == UInt8(ascii: "\\"), index + 1 < text.count, "[]{}".utf8.contains(text[index + 1])
        {
          fixed.append(text[index + 1])
          index += 2
        } else if let (part, end) = try part(at: index) {
          endFixed()
          parts.append(part)
          index = end
        } else {
          fixed.append(byte)
          index += 1
        }
      }
      endFixed()
    }

    private mutating func endFixed() {
      guard !fixed.isEmpty else { return }
      parts.append(.fixed(String(decoding: fixed, as: UTF8.self)))
      fixed = []
    }

    /// Returns the range or the alternatives that begin at a byte, and the index behind them; nil if there are none.
    private func part(at start: Int) throws(Failure) -> (Part, Int)? {
      let closing: UInt8
      switch text[start] {
      case UInt8(ascii: "["): closing = UInt8(ascii: "]")
      case UInt8(ascii: "{"): closing = UInt8(ascii: "}")
      default: return nil
      }
      guard let end = text[start...].firstIndex(of: closing) else { return nil }
      let inner = text[(start + 1)..<end]
      if closing == UInt8(ascii: "]") {
        return try Self.range(inner).map { ($0, end + 1) }
      }
      // The name of a placeholder, such as {id}, has no comma.
      guard inner.contains(UInt8(ascii: ",")) else { return nil }
      guard !inner.contains(UInt8(ascii: "{")) else {
        throw Failure(description: "braces within braces are not supported")
      }
      let words = inner.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      return (.alternatives(words.map { String(decoding: $0, as: UTF8.self) }), end + 1)
    }

    /// Returns the range `a-b` or `a-b:step`; nil if the text is none.
    private static func range(_ text: ArraySlice<UInt8>) throws(Failure) -> Part? {
      let halves = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard halves.count <= 2 else { return nil }
      let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      guard ends.count == 2 else { return nil }
      var step = 1
      if halves.count == 2 {
        guard let number = number(halves[1]) else { return nil }
        guard number > 0 else { throw Failure(description: "the step of a range is 0") }
        step = number
      }
      if let first = number(ends[0]), let last = number(ends[1]) {
        guard first <= last else { throw backwards(text) }
        let width = ends[0].first == UInt8(ascii: "0") ? ends[0].count : 0
        return .numbers(first: first, count: (last - first) / step + 1, step: step, width: width)
      }
      guard let first = letter(ends[0]), let last = letter(ends[1]) else { return nil }
      guard first <= last, (first < 0x60) == (last < 0x60) else { throw backwards(text) }
      return .letters(first: first, count: Int(last - first) / step + 1, step: step)
    }

    private static func backwards(_ text: ArraySlice<UInt8>) -> Failure {
      Failure(
        description: "the range [\(String(decoding: text, as: UTF8.self))] ends before it begins")
    }

    /// The value of up to 15 digits, so that no sum of an end and a step overflows.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
      guard (1...15).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      return Int(String(decoding: text, as: UTF8.self))
    }

    private static func letter(_ text: ArraySlice<UInt8>) -> UInt8? {
      guard text.count == 1, let byte = text.first, (0x41...0x5a).contains(byte & 0xdf) else {
        return nil
      }
      return byte
    }
  }
}
