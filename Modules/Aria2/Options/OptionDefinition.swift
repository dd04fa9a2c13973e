import Models

/// An option of aria2 that this program knows.
struct OptionDefinition: Sendable {
  enum Kind: Sendable, Equatable {
    /// `true` or `false`.
    case flag
    case number(ClosedRange<Int>)
    /// A number of bytes, with the suffix K or M for multiples of 1,024.
    case bytes
    case text
    case choice([String])
    /// A text for each occurrence, such as a header field.
    case texts
    /// The folder of the download, below the library.
    case folder
    /// The name of the file.
    case fileName
    /// A digest as `sha-256=…`.
    case checksum
    case gid
  }

  /// The effect of the option on this program.
  enum Effect: Sendable, Equatable {
    /// The option does what it does in aria2.
    case honoured
    /// The library decides in place of the option, whose value is accepted and returned.
    case ignored
  }

  let name: String
  let kind: Kind
  /// The value of a server without this option; nil if the option has none.
  let standard: String?
  let effect: Effect

  init(_ name: String, _ kind: Kind, _ standard: String? = nil, _ effect: Effect = .honoured) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.effect = effect
  }

  /// Returns the value in the form that the server stores and returns.
  /// - Throws: An error that names the option and the values that it may have.
  func normalized(_ value: String) throws(RPCError) -> String {
    switch kind {
    case .text, .texts, .folder: return value
    case .flag:
      guard value == "true" || value == "false" else { throw refusal("true or false") }
      return value
    case .number(let range):
      guard let number = Int(value), range.contains(number) else {
        let limits =
          range.upperBound == .max
          ? "a whole number of at least \(range.lowerBound)"
          : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        throw refusal(limits)
      }
      return "\(number)"
    case .bytes:
      guard let bytes = Self.byteCount(value) else { throw refusal("a number of bytes") }
      return "\(bytes)"
    case .choice(let choices):
      guard choices.contains(value) else {
        throw refusal("one of " + choices.joined(separator: ", "))
      }
      return value
    case .fileName:
      guard Self.isFileName(value) else { throw refusal("a file name without a folder") }
      return value
    case .checksum:
      guard Checksum(value) != nil else {
        throw refusal("a digest such as sha-256= and 64 hexadecimal digits")
      }
      return value
    case .gid:
      guard let gid = GID(value), value.utf8.count == GID.length else {
        throw refusal("16 hexadecimal digits, not all of them 0")
      }
      return gid.description
    }
  }

  private func refusal(_ expectation: String) -> RPCError {
    RPCError("The option \(name) must be \(expectation).")
  }

  /// Parses a number of bytes such as `10K` or `1M`; nil if it is negative or does not fit.
  static func byteCount(_ text: String) -> Int? {
    let shift: Int
    switch text.utf8.last {
    case UInt8(ascii: "K")?, UInt8(ascii: "k")?: shift = 10
    case UInt8(ascii: "M")?, UInt8(ascii: "m")?: shift = 20
    default: shift = 0
    }
    guard let number = Int(shift == 0 ? text[...] : text.dropLast()), number >= 0 else {
      return nil
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : bytes
  }

  static func isFileName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}
