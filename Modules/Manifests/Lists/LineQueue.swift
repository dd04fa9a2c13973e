import Models

/// Divides bytes into lines that end with LF or CRLF, with bounded memory.
struct LineQueue: Sendable {
  struct Line: Sendable {
    /// The number of the line, from 1.
    let number: Int
    /// The line without its end; nil if it cannot be read.
    let text: String?
    /// The reason why the line cannot be read.
    var fault = ""
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var number = 1
  private var isTooLong = false
  private var isEnded = false

  init(limits: ManifestLimits) { limit = limits.textLength }

  mutating func append(_ bytes: RawSpan) {
    buffer.removeFirst(start)
    start = 0
    bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
  }

  mutating func finish() { isEnded = true }

  /// Returns the next line; nil if more bytes are needed, or after the end.
  mutating func next() -> Line? {
    let end = buffer.span.bytes.firstIndex(of: 0x0a, from: start)
    guard end != nil || isEnded else {
      if buffer.count &- start > limit {
        isTooLong = true
        start = buffer.count
      }
      return nil
    }
    guard end != nil || start < buffer.count || isTooLong else { return nil }
    let line = line(start..<(end ?? buffer.count))
    start = end.map { $0 &+ 1 } ?? buffer.count
    number &+= 1
    isTooLong = false
    return line
  }

  private func line(_ range: Range<Int>) -> Line {
    guard !isTooLong, range.count <= limit else {
      return Line(
        number: number, text: nil,
        fault: "is longer than \(limit) bytes (limits.manifestTextBytes)")
    }
    var bytes = buffer[range]
    // A line without a mark, as nearly all are, is compared by its first byte only.
    while bytes.first == 0xef, bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    if bytes.last == 0x0d { bytes = bytes.dropLast() }
    guard let text = bytes.span.bytes.text else {
      return Line(number: number, text: nil, fault: "is not UTF-8")
    }
    return Line(number: number, text: text)
  }
}
