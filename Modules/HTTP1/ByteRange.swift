import Models

/// A part of a file that a client requests in the `Range` field (RFC 9110 §14).
public enum ByteRange: Sendable, Equatable {
  /// The offsets of the part.
  case part(Range<Int64>)
  /// The whole file: the field is missing, malformed, in a unit other than bytes, or has several ranges; a
  /// server may ignore such a field.
  case whole
  /// The range lies behind the end of the file.
  case unsatisfiable

  /// - Parameters:
  ///   - field: The value of the `Range` field, or nil.
  ///   - length: The length of the file in bytes.
  public init(_ field: String?, of length: Int64) {
    self = .whole
    let unit = "bytes="
    guard let field, HTTPFields.isSame(field.prefix(unit.count), unit) else { return }
    let ends = field.dropFirst(unit.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else {
      return
    }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let count?):
      self = count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
    case (let first?, let last):
      if let last, last < first { return }
      guard first < length else {
        self = .unsatisfiable
        return
      }
      self = .part(first..<(min(last ?? length, length - 1) + 1))
    }
  }

  /// Returns the number, `.some(nil)` for an empty text, and nil for a text that is not a number. A number
  /// that is too large counts as the largest possible one.
  private static func number(_ text: Substring) -> Int64?? {
    guard !text.isEmpty else { return .some(nil) }
    guard text.utf8.allSatisfy({ ASCII.isDigit($0) }) else { return nil }
    return .some(Int64(text) ?? Int64.max - 1)
  }
}
