import JSON

/// The value of a line of JSON Lines, made from its events.
protocol JSONLineValue: JSONEventHandler, Sendable {
  init()
}

/// Divides JSON Lines into values. Blank lines are skipped, and a line that cannot be parsed does not affect the
/// others.
struct JSONLines<Value: JSONLineValue>: Sendable {
  struct Line {
    enum Content { case value(Value), fault(String) }

    /// The number of the line, from 1.
    let number: Int
    let content: Content
  }

  private var parser: JSONParser
  private var value = Value()
  private var number: Int
  private var fault: String?

  /// - Parameter number: The number of the first line.
  init(limits: ManifestLimits, line number: Int) {
    parser = JSONParser(limits, line: number)
    self.number = number
  }

  mutating func receive(_ bytes: RawSpan, _ body: (Line) -> Void) {
    var start = 0
    while let newline = bytes.firstIndex(of: 0x0a, from: start) {
      read(bytes.extracting(start..<newline))
      endLine(body)
      start = newline &+ 1
    }
    read(bytes.extracting(start..<bytes.byteCount))
  }

  mutating func finish(_ body: (Line) -> Void) { endLine(body) }

  private mutating func read(_ bytes: RawSpan) {
    guard fault == nil else { return }
    do throws(ManifestError) {
      try parser.receive(bytes, into: &value)
    } catch {
      fail(error)
    }
  }

  private mutating func endLine(_ body: (Line) -> Void) {
    let isBlank = parser.isBlank
    if fault == nil, !isBlank {
      do throws(ManifestError) {
        try parser.finish(into: &value)
      } catch {
        fail(error)
      }
    }
    if let fault {
      body(Line(number: number, content: .fault(fault)))
    } else if !isBlank {
      body(Line(number: number, content: .value(value)))
    }
    number &+= 1
    fault = nil
    value = Value()
    parser.restart(atLine: number)
  }

  private mutating func fail(_ error: ManifestError) {
    fault = error.column.map { "column \($0): \(error.reason)" } ?? error.reason
  }
}
