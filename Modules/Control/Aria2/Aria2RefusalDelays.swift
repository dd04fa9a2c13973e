import SystemCalls

/// The delays of responses to clients without the secret, which limit how fast the secret can be guessed.
struct Aria2RefusalDelays: Sendable {
  /// The delay of a response in seconds.
  static let seconds = 1.0
  /// The maximum number of delays at the same time. While there are so many, no further secret is compared.
  static let limit = 8

  private var tasks: [Int: Task<Void, Never>] = [:]
  private var number = 0

  var hasRoom: Bool { tasks.count < Self.limit }

  /// Begins a delay.
  /// - Returns: Its number, and the task that ends with it.
  mutating func begin(_ clock: any MonotonicClock) -> (number: Int, task: Task<Void, Never>) {
    number += 1
    let end = clock.now() + Self.seconds
    let task = Task { _ = try? await clock.sleep(until: end) }
    tasks[number] = task
    return (number, task)
  }

  mutating func end(_ number: Int) { tasks[number] = nil }

  func cancel() { for task in tasks.values { task.cancel() } }
}
