import CLinux
import Glibc
import Synchronization
import SystemCalls
import Transport

/// Turns names into addresses with the system's resolver, on threads of its own because
/// `getaddrinfo` blocks. The threads start with the first name that has to be looked up.
final class Resolver: Sendable {
  typealias Answer = Result<[ResolvedAddress], ResolveError>
  typealias Completion = @Sendable (Answer) -> Void

  private struct State {
    var cache = ResolverCache<Completion>()
    var names = Queue<String>()
    var threads: [LoopThread] = []
    var isClosed = false
  }

  /// Four dead names may take many seconds each without holding up the others.
  private static let threadCount = 4

  private let state = Mutex(State())
  /// Counts the names in the queue; the threads sleep on it.
  private let bell: OwnedDescriptor
  private let family: Int32

  /// - Parameter family: `AF_UNSPEC`, `AF_INET` or `AF_INET6`.
  init(family: Int32) throws(SystemError) {
    self.family = family
    let raw = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
    guard raw >= 0 else { throw .last("create an event descriptor") }
    bell = OwnedDescriptor(raw)
  }

  /// Calls `completion` once: here and now if the answer is known, else on a thread of the resolver.
  func resolve(_ name: String, _ completion: @escaping Completion) {
    let now = Machine.monotonicNanoseconds
    let known: Answer? = state.withLock { state in
      guard !state.isClosed else { return .failure(ResolveError(reason: "shut down")) }
      switch state.cache.ask(name, completion, now: now) {
      case .known(let answer): return answer
      case .joined: return nil
      case .lookUp:
        state.names.append(name)
        startThreads(&state)
        Poller.wake(bell)
        return nil
      }
    }
    if let known { completion(known) }
  }

  /// The threads end after the look-ups in work, which nothing can interrupt; nobody waits for them.
  func close() {
    let count = state.withLock { state in
      state.isClosed = true
      return state.threads.count
    }
    for _ in 0..<count { Poller.wake(bell) }
    state.withLock { $0.threads = [] }
  }

  private func startThreads(_ state: inout State) {
    while state.threads.count < Self.threadCount {
      // Fewer threads are fine; with none the transfers run into their connect timeout.
      guard let thread = try? LoopThread("imgdl-names", { [self] in run() }) else { return }
      state.threads.append(thread)
    }
  }

  private func run() {
    while true {
      var value: UInt64 = 0
      guard read(bell.raw, &value, 8) == 8 || errno == EINTR else { return }
      let (name, isClosed) = state.withLock { ($0.names.popFirst(), $0.isClosed) }
      if let name { answer(name) } else if isClosed { return }
    }
  }

  private func answer(_ name: String) {
    let answer = lookUp(name)
    let now = Machine.monotonicNanoseconds
    let waiters = state.withLock { $0.cache.answered(name, answer, now: now) }
    for waiter in waiters { waiter(answer) }
  }

  private func lookUp(_ name: String) -> Answer {
    var hints = addrinfo()
    hints.ai_family = family
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else { return .failure(Self.error(code)) }
    defer { freeaddrinfo(list) }
    var addresses: [ResolvedAddress] = []
    var next = list
    while let entry = next {
      if let raw = entry.pointee.ai_addr, let address = SocketAddress(raw, port: 0) {
        let resolved = ResolvedAddress(ip: address.ip, scope: address.scope)
        if !addresses.contains(resolved) { addresses.append(resolved) }
      }
      next = entry.pointee.ai_next
    }
    guard !addresses.isEmpty else { return .failure(ResolveError(reason: "no address")) }
    return .success(AddressRace.interleaved(addresses) { $0.ip.family == .v6 })
  }

  private static func error(_ code: Int32) -> ResolveError {
    if code == EAI_SYSTEM { return ResolveError(reason: StreamSocket.reason(errno)) }
    guard let text = gai_strerror(code) else { return ResolveError(reason: "error \(code)") }
    return ResolveError(reason: String(cString: text))
  }
}
