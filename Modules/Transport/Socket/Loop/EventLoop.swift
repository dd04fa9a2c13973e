import Models
import Synchronization
import SystemCalls
import Threading
import Transport

/// One thread that owns its connections and everything about them.
///
/// `@unchecked`: other threads touch the mailbox, which is locked, and nothing else; all the rest is
/// used by the loop's own thread only.
final class EventLoop: @unchecked Sendable {
  enum Command {
    case start(Transfer)
    case cancel(UInt64)
    case resolved(UInt64, IPAddress.Family, Result<[ResolvedAddress], ResolveError>)
    /// A connection may be made that was waited for.
    case permit
    /// Another loop has no descriptor left.
    case closeIdle
    /// The last command. The thread resumes the continuation as its last act.
    case stop(CheckedContinuation<Void, Never>?)
  }

  enum Occupant {
    case connection(Connection)
    case attempt(ConnectionAttempt)
    case candidate(ConnectionAttempt, ConnectionAttempt.Candidate)
    case stream(Stream)
  }

  private let mailbox: Mailbox<Command>
  private let thread = Mutex<BlockingThread?>(nil)
  /// The commands at work; empty in between.
  private var commands: [Command] = []
  private var whenStopped: [CheckedContinuation<Void, Never>] = []

  let options: SocketOptions
  let services: LoopServices
  let poller: Poller
  private let events = Poller.Events()
  /// All reads go here: one buffer for all connections, because none of them keeps bytes in it.
  let buffer: UnsafeMutableRawBufferPointer
  var pool: ConnectionPool
  var poolActions: [ConnectionPool.Action] = []
  var deadlines = DeadlineQueue()
  var transfers: [UInt64: Transfer] = [:]
  /// What tokens of the poller and of the deadlines stand for. A token is never used twice.
  var occupants: [UInt64: Occupant] = [:]
  /// Connections with input that the poller cannot see, inside of TLS.
  var backlog: [Connection] = []
  /// Connections with frames to send.
  var unflushed: [Connection] = []
  /// Connections that wait for the rate limit, and until when.
  var throttled: [Connection] = []
  var throttledUntil = Moment.never
  /// Origins that have asked for HTTP/1.1.
  var onlyHTTP1: Set<HTTPURL.Origin> = []
  /// Attempts that wait for a descriptor.
  var starving: [ConnectionAttempt] = []
  /// Transfers that wait for a permit.
  var unadmitted = Queue<UInt64>()
  var tickets = TicketStore()
  var addresses = AddressMemory()
  private var lastToken: UInt64 = 0
  private(set) var isStopping = false

  /// Makes a loop with its thread running.
  static func start(
    _ options: SocketOptions, _ services: LoopServices
  ) throws(SystemError) -> EventLoop {
    let loop = try EventLoop(options, services)
    let thread = try BlockingThread("imgdl-socket") { loop.run() }
    loop.thread.withLock { $0 = thread }
    services.join(loop)
    return loop
  }

  private init(_ options: SocketOptions, _ services: LoopServices) throws(SystemError) {
    self.options = options
    self.services = services
    poller = try Poller()
    mailbox = Mailbox(wakeUp: poller.wakeUp)
    pool = ConnectionPool(options.http2)
    // A header or trailer section that does not fit yet has to, with room to read more.
    let size = max(1 << 20, max(options.headerBytes, options.trailerBytes) &+ 65_536)
    buffer = .allocate(byteCount: size, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Hands a command to the loop's thread. From any thread, in order.
  func submit(_ command: Command) {
    if !mailbox.post(command) { refuse(command) }
  }

  /// Answers a command that comes after the end.
  private func refuse(_ command: Command) {
    switch command {
    case .start(let transfer): transfer.end(.failure(stopped(transfer)))
    case .stop(let continuation): continuation?.resume()
    case .cancel, .resolved, .permit, .closeIdle: break
    }
  }

  /// Ends all transfers and the thread, without waiting for it.
  func stop() { submit(.stop(nil)) }

  /// Ends all transfers and the thread, and returns when both have ended.
  func stopAndWait() async {
    await withCheckedContinuation { submit(.stop($0)) }
    // The thread's last act was to resume us, so this does not wait.
    takeThread()?.join()
  }

  /// Never inlined into the async caller: see "Traps" in Documentation/Concurrency.md.
  @inline(never)
  private func takeThread() -> BlockingThread? {
    thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
  }

  func makeToken() -> UInt64 {
    lastToken &+= 1
    return lastToken
  }

  private func run() {
    while true {
      while mailbox.drain(into: &commands) {
        for command in commands { handle(command) }
        commands.removeAll(keepingCapacity: true)
      }
      if isStopping { break }
      flushAll()
      poller.wait(for: events, milliseconds: backlog.isEmpty ? timeToDeadline() : 0)
      mailbox.receiverIsAwake()
      let now = Machine.monotonicNanoseconds
      // Before the commands: an idle connection that has ended is not given to a new transfer.
      for index in 0..<events.count {
        if let event = poller.event(index, of: events) { dispatch(event.token, event.readiness) }
      }
      readBacklog()
      feedThrottled(now)
      // By the clock of before: a sink may have blocked since, and what has come in the meantime is
      // not known yet. With as many events as the poller can tell there may be more of them, too.
      if !events.isFull { passDeadlines(now) }
    }
    end()
  }

  private func handle(_ command: Command) {
    switch command {
    case .start(let transfer): start(transfer)
    case .cancel(let id): cancel(id)
    case .resolved(let id, let family, let answer):
      if case .attempt(let attempt) = occupants[id] { resolved(attempt, family, answer) }
    case .permit: admitNext()
    case .closeIdle: closeOldestIdle()
    case .stop(let continuation):
      isStopping = true
      if let continuation { whenStopped.append(continuation) }
    }
  }

  private func dispatch(_ token: UInt64, _ readiness: Poller.Readiness) {
    switch occupants[token] {
    case .connection(let connection):
      if !readiness.isDisjoint(with: [.hungUp, .failed]) { connection.hasHungUp = true }
      ready(connection, readiness)
    case .candidate(let attempt, let candidate): ready(attempt, candidate)
    case .attempt, .stream, nil: break
    }
  }

  private func timeToDeadline() -> Int32 {
    let next = min(deadlines.next ?? Moment.never, throttledUntil)
    guard next < Moment.never else { return -1 }
    let now = Machine.monotonicNanoseconds
    return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
  }

  private func passDeadlines(_ now: UInt64) {
    while let entry = deadlines.popDue(now) {
      switch occupants[entry.id] {
      case .connection(let connection) where connection.armed == entry.time:
        connection.armed = Moment.never
        passDeadline(connection, now)
      case .attempt(let attempt) where attempt.armed == entry.time:
        attempt.armed = Moment.never
        passDeadline(attempt, now)
      case .stream(let stream) where stream.armed == entry.time:
        stream.armed = Moment.never
        passDeadline(stream, now)
      default: break
      }
    }
  }

  private func end() {
    for transfer in Array(transfers.values) { fail(transfer, stopped(transfer)) }
    for case .connection(let connection) in Array(occupants.values) { close(connection) }
    occupants = [:]
    services.leave(self)
    mailbox.close().forEach(refuse)
    for continuation in whenStopped { continuation.resume() }
  }

  private func stopped(_ transfer: Transfer) -> TransportError {
    TransportError(.cancelled, url: transfer.url, detail: "the transport is shut down")
  }
}
