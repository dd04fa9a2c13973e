/// The type of a value. Values are checked while the command line is parsed, so that a command never starts
/// with an invalid value.
public enum ValueKind: Sendable, Hashable {
  case text
  /// The path of a file; existence is not checked.
  case file
  /// The path of a folder; existence is not checked.
  case directory
  case integer(ClosedRange<Int>)
  /// A number of bytes, see ``ByteSize``.
  case byteSize
  /// A span of time, see ``TimeSpan``.
  case duration
  /// One of the given words.
  case choice([String])

  /// A description of valid values that completes the sentence "expects …"; nil if every text is valid.
  public var expectation: String? {
    switch self {
    case .text: nil
    case .file: "the path of a file"
    case .directory: "the path of a folder"
    case .integer(let range):
      switch (range.lowerBound, range.upperBound) {
      case (let lowest, .max): "a whole number of at least \(lowest)"
      case (let lowest, let highest): "a whole number from \(lowest) to \(highest)"
      }
    case .byteSize: "a size in bytes such as 500k, 2M or 1G"
    case .duration: "a time such as 50ms, 2s or 1m"
    case .choice(let words): "one of: " + words.joined(separator: ", ")
    }
  }

  /// A short description of valid values to show after a summary; nil if the summary is sufficient.
  var note: String? {
    switch self {
    case .text, .file, .directory: nil
    case .integer(let range):
      range.upperBound == .max ? nil : "\(range.lowerBound) to \(range.upperBound)"
    case .byteSize: "500k, 2M, 1G"
    case .duration: "50ms, 2s, 1m"
    case .choice(let words): words.joined(separator: ", ")
    }
  }

  /// The words of a `choice`; empty for every other kind.
  var choices: [String] {
    if case .choice(let words) = self { words } else { [] }
  }

  /// Whether `text` is a value of this kind.
  public func accepts(_ text: String) -> Bool {
    switch self {
    case .text: true
    case .file, .directory: !text.isEmpty
    case .integer(let range): Int(text).map(range.contains) ?? false
    case .byteSize: ByteSize.parse(text) != nil
    case .duration: TimeSpan.parse(text) != nil
    case .choice(let words): words.contains(text)
    }
  }
}

/// Parses sizes in bytes, as users write them.
public enum ByteSize {
  /// Returns the number of bytes for `500k`, `2M`, `1G` or `1T` (powers of 1024, in either case) or for a
  /// plain number; nil for other texts, including signed numbers and overflows.
  public static func parse(_ text: String) -> Int? {
    var digits = text[...]
    var shift = 0
    if let last = text.last, !last.isASCIIDigit {
      switch last {
      case "k", "K": shift = 10
      case "m", "M": shift = 20
      case "g", "G": shift = 30
      case "t", "T": shift = 40
      default: return nil
      }
      digits.removeLast()
    }
    guard let count = digits.wholeNumber else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : bytes
  }
}

/// Parses spans of time, as users write them.
public enum TimeSpan {
  /// Returns the duration for `50ms`, `1.5s`, `1m`, `2h`, or a plain number of seconds; nil for other texts.
  /// At most a billion units and nine decimals are accepted.
  public static func parse(_ text: String) -> Duration? {
    let unitStart = text.firstIndex { !$0.isASCIIDigit && $0 != "." } ?? text.endIndex
    let nanosecondsPerUnit: Int64
    switch text[unitStart...] {
    case "ms": nanosecondsPerUnit = 1_000_000
    case "s", "": nanosecondsPerUnit = 1_000_000_000
    case "m": nanosecondsPerUnit = 60_000_000_000
    case "h": nanosecondsPerUnit = 3_600_000_000_000
    default: return nil
    }
    let parts = text[..<unitStart].split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let whole = first.wholeNumber, whole <= 1_000_000_000 else {
      return nil
    }
    let unit = Duration.nanoseconds(nanosecondsPerUnit)
    guard parts.count > 1 else { return unit * whole }
    guard parts.count == 2, parts[1].count <= 9, let decimals = parts[1].wholeNumber else {
      return nil
    }
    let scale = parts[1].reduce(1) { scale, _ in scale * 10 }
    return unit * whole + unit * decimals / scale
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension Substring {
  /// The number if the text consists of digits only, or nil; `Int` alone would also accept a sign.
  fileprivate var wholeNumber: Int? {
    guard !isEmpty, allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(self)
  }
}
