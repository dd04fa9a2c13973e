/// A list of failures for people: the first ones in full, the number of the others.
struct FailureReport {
  /// The number of failures that are reported in full.
  static let limit = 20

  private(set) var lines: [String] = []
  private(set) var count = 0

  /// Adds a failure.
  /// - Returns: Whether the failure is among those that are reported in full.
  @discardableResult
  mutating func add(_ line: @autoclosure () -> String) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    lines.append(line())
    return true
  }

  var unreportedCount: Int { count - lines.count }

  /// Prints the failures to standard output.
  /// - Parameter rest: A sentence that names the command that shows all failures.
  func print(to console: Console, rest place: String) {
    for line in lines + (moreText(detailsIn: place).map { [$0] } ?? []) {
      console.printSentence(Console.escaped(line))
    }
  }

  /// Returns `5 more; `, followed by `place`; nil if all failures are reported in full.
  /// - Parameter place: A sentence that names the command that shows all failures.
  func moreText(detailsIn place: String) -> String? {
    unreportedCount > 0 ? "\(unreportedCount) more; \(place)" : nil
  }
}
