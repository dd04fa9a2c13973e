import JSON

extension JSONValue {
  /// Parses a line of the driver.
  /// - Parameter line: A line of bounded length.
  static func members(ofLine line: [UInt8]) throws(ShardError) -> [Member] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line, .python)
    } catch {
      throw .malformed("column \(error.position.column): \(error.reason)")
    }
    guard case .object(let members) = value else { throw .malformed("the line is not an object") }
    return members
  }

  var unlessNull: JSONValue? { if case .null = self { nil } else { self } }

  func string() throws(ShardError) -> String {
    guard let text else { throw .malformed("a value is not a string") }
    return text
  }

  func list() throws(ShardError) -> [JSONValue] {
    guard let array else { throw .malformed("a value is not a list") }
    return array
  }

  func bool() throws(ShardError) -> Bool {
    guard case .bool(let value) = self else {
      throw .malformed("a value is neither true nor false")
    }
    return value
  }

  func integer(in range: ClosedRange<Int>) throws(ShardError) -> Int {
    guard let integer else { throw .malformed("a number is not an integer") }
    return try Self.check(integer, in: range)
  }

  func double(in range: ClosedRange<Double>) throws(ShardError) -> Double {
    guard case .number(let text) = self, let number = Double(text) else {
      throw .malformed("a value is not a number")
    }
    return try Self.check(number, in: range)
  }

  private static func check<Number>(
    _ number: Number, in range: ClosedRange<Number>
  ) throws(ShardError) -> Number {
    guard range.contains(number) else {
      throw .malformed("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func choice<Choice>(_ make: (String) -> Choice?) throws(ShardError) -> Choice {
    let name = try string()
    guard let choice = make(name) else { throw .malformed("\"\(name)\" is not supported") }
    return choice
  }
}
