/// The candidates of a `srcset` attribute (HTML Standard, "parse a srcset attribute").
struct SourceSet {
  struct Candidate: Equatable {
    var url: String
    /// The width in pixels (`640w`).
    var width: Int?
    /// The pixel density (`2x`).
    var density: Double?
  }

  /// The maximum number of candidates; further ones are ignored.
  private static let limit = 256

  private(set) var candidates: [Candidate] = []

  /// Parses the attribute. A URL ends at white space, so that it may contain commas; commas at its end belong
  /// to the list. An invalid descriptor is ignored, the candidate is kept.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    while candidates.count < Self.limit {
      while index < bytes.count, Self.isSpace(bytes[index]) || bytes[index] == 0x2c { index += 1 }
      guard index < bytes.count else { return }
      let start = index
      while index < bytes.count, !Self.isSpace(bytes[index]) { index += 1 }
      var end = index
      while end > start, bytes[end - 1] == 0x2c { end -= 1 }
      var candidate = Candidate(url: String(decoding: bytes[start..<end], as: UTF8.self))
      if end == index { Self.readDescriptors(bytes, &index, into: &candidate) }
      if end > start { candidates.append(candidate) }
    }
  }

  /// Reads up to the comma that ends the candidate. Commas in parentheses do not end it.
  private static func readDescriptors(
    _ bytes: [UInt8], _ index: inout Int, into candidate: inout Candidate
  ) {
    var start = index
    var isInParentheses = false
    while true {
      let byte = index < bytes.count ? bytes[index] : 0x2c
      if isInParentheses, index < bytes.count {
        isInParentheses = byte != 0x29
      } else if isSpace(byte) || byte == 0x2c {
        apply(bytes[start..<index], to: &candidate)
        start = index + 1
        if byte == 0x2c {
          index = min(index + 1, bytes.count)
          return
        }
      } else if byte == 0x28 {
        isInParentheses = true
      }
      index += 1
    }
  }

  private static func apply(_ descriptor: ArraySlice<UInt8>, to candidate: inout Candidate) {
    guard let unit = descriptor.last else { return }
    let number = String(decoding: descriptor.dropLast(), as: UTF8.self)
    switch unit {
    case UInt8(ascii: "w"): candidate.width = Int(number).flatMap { $0 > 0 ? $0 : nil }
    case UInt8(ascii: "x"):
      candidate.density = Double(number).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    default: break
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0c || byte == 0x0d
  }
}
