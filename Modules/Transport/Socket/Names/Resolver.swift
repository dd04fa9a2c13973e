import Models
import Synchronization
import SystemCalls
import Threading

/// Resolves names to addresses with one thread for all lookups, which starts with the first name
/// that is not cached and sleeps while no answer is due.
///
/// `@unchecked Sendable`: `state` is locked; the poller and the channels are used by the thread
/// only, except for waking the poller.
final class Resolver: @unchecked Sendable {
  typealias Completion = @Sendable (Result<[ResolvedAddress], ResolveError>) -> Void

  typealias StartThread =
    @Sendable (_ body: @escaping @Sendable () -> Void) throws(SystemError) -> BlockingThread

  private struct State {
    var cache: ResolverCache<Completion>
    var lookups: [AddressLookup] = []
    var thread: BlockingThread?
    var isClosed = false
  }

  /// The interval in nanoseconds between two checks whether the system's servers have changed.
  private static let rereadTime: UInt64 = 1_000_000_000

  private let options: NameOptions
  private let startThread: StartThread
  private let state: Mutex<State>
  private let poller: Poller
  private var channel: NameChannel?
  /// The channel that determines why no server could be reached; created for the first lookup that
  /// reaches none.
  private var diagnosticChannel: NameChannel?
  /// The channels with previous servers, kept until their lookups have ended.
  private var retired: [NameChannel] = []
  private var configurationStatus: FileStatus?
  private var lastRead: UInt64 = 0

  /// - Parameter startThread: Starts the thread of the lookups.
  init(
    _ options: NameOptions,
    startThread: @escaping StartThread = { body throws(SystemError) in
      try BlockingThread("imgdl-names", body)
    }
  ) throws(SystemError) {
    self.options = options
    self.startThread = startThread
    state = Mutex(State(cache: ResolverCache(limits: options.limits)))
    poller = try Poller()
  }

  /// Calls `completion` once: on the calling thread before the return if the answer is cached
  /// or needs no lookup, otherwise on the resolver's thread.
  func resolve(_ lookup: AddressLookup, _ completion: @escaping Completion) {
    if let loopback = lookup.loopback { return completion(.success([loopback])) }
    let now = Machine.monotonicNanoseconds
    let (cached, waiters) = state.withLock { state -> (AddressAnswer?, [Completion]) in
      guard !state.isClosed else {
        return (AddressAnswer(Self.stopped), [])
      }
      switch state.cache.lookUp(lookup, completion, now: now) {
      case .cached(let answer): return (answer, [])
      case .wait: return (nil, [])
      case .lookUp:
        state.lookups.append(lookup)
        guard state.thread == nil else { return (nil, []) }
        do throws(SystemError) {
          state.thread = try startThread { [self] in run() }
          return (nil, [])
        } catch {
          // Without the thread the waiters would get no answer; the next lookup tries to start the
          // thread again.
          state.lookups = []
          return (
            AddressAnswer(ResolveError(.system, error.description)), state.cache.removeAll()
          )
        }
      }
    }
    guard let cached else { return poller.wakeUp.signal() }
    if waiters.isEmpty { completion(cached.result) }
    for waiter in waiters { waiter(cached.result) }
  }

  /// Ends the lookups and the thread, without waiting for the end.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      state.thread = nil
      return state.cache.removeAll()
    }
    poller.wakeUp.signal()
    for waiter in waiters { waiter(.failure(Self.stopped)) }
  }

  private static let stopped = ResolveError(.stopped, "the transport is shut down")

  /// Returns the token with which a descriptor of c-ares is registered in the poller.
  static func token(_ descriptor: Int32) -> UInt64 {
    Poller.firstToken + UInt64(UInt32(bitPattern: descriptor))
  }

  private func run() {
    let events = Poller.Events()
    while let lookups = drainQuestions() {
      for lookup in lookups { startLookup(lookup) }
      // A lookup that was answered at once may have queued the next one, so the queue is drained
      // again.
      guard lookups.isEmpty else { continue }
      removeRetired()
      poller.wait(for: events, milliseconds: millisecondsToTimeout)
      for index in 0..<events.count {
        guard let event = poller.event(index, of: events) else { continue }
        let descriptor = Int32(truncatingIfNeeded: event.token &- Poller.firstToken)
        // An earlier event of this round may have closed the descriptor.
        channels.first { $0.owns(descriptor) }?.process(descriptor, event.readiness)
      }
      for channel in channels { channel.process(nil) }
    }
    for channel in channels { channel.close() }
    channel = nil
    diagnosticChannel = nil
    retired = []
  }

  private func removeRetired() {
    for channel in retired where channel.count == 0 { channel.close() }
    retired.removeAll { $0.count == 0 }
  }

  private var channels: [NameChannel] { [channel, diagnosticChannel].compactMap(\.self) + retired }

  private var millisecondsToTimeout: Int32 {
    channels.map(\.millisecondsToTimeout).filter { $0 >= 0 }.min() ?? -1
  }

  /// Returns the queued lookups; nil after `close`.
  private func drainQuestions() -> [AddressLookup]? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      defer { state.lookups = [] }
      return state.lookups
    }
  }

  private func startLookup(_ lookup: AddressLookup) {
    do throws(ResolveError) {
      try currentChannel().lookUp(lookup) { [unowned self] answer in
        if case .failure(let error) = answer.result, error.code == .unreachable {
          return diagnose(lookup, answer)
        }
        completeLookup(lookup, answer)
      }
    } catch {
      completeLookup(lookup, AddressAnswer(error))
    }
  }

  /// Repeats a lookup in which no server could be reached on the diagnostic channel, whose answer
  /// tells whether a server responded, and how.
  private func diagnose(_ lookup: AddressLookup, _ failure: AddressAnswer) {
    do throws(ResolveError) {
      if diagnosticChannel == nil {
        diagnosticChannel = try NameChannel(options, poller, isDiagnostic: true)
      }
      diagnosticChannel?.lookUp(lookup) { [unowned self] in completeLookup(lookup, $0) }
    } catch {
      completeLookup(lookup, failure)
    }
  }

  private func completeLookup(_ lookup: AddressLookup, _ answer: AddressAnswer) {
    let now = Machine.monotonicNanoseconds
    let waiters = state.withLock { state in
      let (waiters, next) = state.cache.store(lookup, answer, now: now)
      if let next { state.lookups.append(next) }
      return waiters
    }
    for waiter in waiters { waiter(answer.result) }
  }

  /// Returns the channel to the system's current servers, which change when a machine changes
  /// networks.
  private func currentChannel() throws(ResolveError) -> NameChannel {
    let now = Machine.monotonicNanoseconds
    if options.servers.isEmpty, now &- lastRead >= Self.rereadTime {
      lastRead = now
      let status = try? FileSystem.status(options.configurationFile)
      if status != configurationStatus {
        retired += [channel, diagnosticChannel].compactMap(\.self)
        channel = nil
        diagnosticChannel = nil
      }
      configurationStatus = status
    }
    if let channel { return channel }
    let made = try NameChannel(options, poller)
    channel = made
    return made
  }
}
