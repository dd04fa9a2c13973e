import LibraryAPI
import SystemCalls

/// The viewers of browsers. A browser has too few connections to keep one open for each tab, so that its
/// viewers are known by their requests: one that has not renewed its range for a minute is forgotten.
actor ViewerLeases {
  /// The time after the last request of a viewer after which it is forgotten, in seconds.
  static let seconds = 60.0

  private let clock: any MonotonicClock
  private let forget: @Sendable (ViewerID) async -> Void
  private var deadlines: [ViewerID: Double] = [:]
  private var waiting: Task<Void, Never>?
  private var isStopped = false

  /// - Parameter forget: Called for each viewer whose time is over.
  init(clock: any MonotonicClock, forgetting forget: @escaping @Sendable (ViewerID) async -> Void) {
    self.clock = clock
    self.forget = forget
  }

  func renew(_ viewer: ViewerID) {
    guard !isStopped else { return }
    deadlines[viewer] = clock.now() + Self.seconds
    guard waiting == nil else { return }
    waiting = Task { await waitForEnds() }
  }

  /// Ends the lease of a viewer that has taken its leave.
  func end(_ viewer: ViewerID) { deadlines[viewer] = nil }

  func stop() async {
    isStopped = true
    waiting?.cancel()
    await waiting?.value
  }

  private func waitForEnds() async {
    while let next = deadlines.values.min() {
      guard (try? await clock.sleep(until: next)) != nil else { break }
      let now = clock.now()
      for viewer in deadlines.filter({ $0.value <= now }).keys {
        // The viewer may have renewed its lease while another one was forgotten.
        guard let deadline = deadlines[viewer], deadline <= now else { continue }
        deadlines[viewer] = nil
        await forget(viewer)
      }
    }
    waiting = nil
  }
}
