import LibraryAPI
import SystemCalls

/// The viewers of browsers. A browser has too few connections to keep a stream open for each tab, so each
/// request of a viewer renews its lease: a viewer without a request for 60 seconds is removed.
actor ViewerLeases {
  /// The duration of a lease after a viewer's last request, in seconds.
  static let seconds = 60.0

  private let clock: any MonotonicClock
  private let forget: @Sendable (ViewerID) async -> Void
  private var deadlines: [ViewerID: Double] = [:]
  private var waiting: Task<Void, Never>?
  private var isStopped = false

  /// - Parameter forget: Called for each viewer whose lease has expired.
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

  /// Ends the lease of a viewer that has unregistered itself.
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
        // The viewer may have renewed its lease while `forget` ran for another viewer.
        guard let deadline = deadlines[viewer], deadline <= now else { continue }
        deadlines[viewer] = nil
        await forget(viewer)
      }
    }
    waiting = nil
  }
}
