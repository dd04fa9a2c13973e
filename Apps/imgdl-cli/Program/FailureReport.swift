/// A list of failures for people: the first ones word by word, the rest as a count.
struct FailureReport {
  /// The number of failures that are reported word by word.
  static let limit = 20

  private(set) var lines: [String] = []
  private(set) var count = 0

  /// - Returns: whether it is one of those that are told.
  @discardableResult
  mutating func add(_ line: @autoclosure () -> String) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    lines.append(line())
    return true
  }

  var untold: Int { count - lines.count }

  /// Prints the lines among the data.
  /// - Parameter rest: where all of them are.
  func print(to console: Console, rest place: String) {
    for line in lines + (rest(place).map { [$0] } ?? []) {
      console.printSentence(Console.escaped(line))
    }
  }

  /// `5 more; details in …`, if there are more.
  /// - Parameter place: where all of them are.
  func rest(_ place: String) -> String? { untold > 0 ? "\(untold) more; \(place)" : nil }
}
