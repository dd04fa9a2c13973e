import Synchronization
import SystemCalls
import Threading

/// An event loop with its thread, which waits for commands, ready descriptors and deadlines, passes each to
/// the component that owns it, and passes the outcome to the dispatcher. All components of the loop run on
/// this thread.
///
/// `@unchecked Sendable`: other threads use only the mailbox, which is locked; everything else is
/// used by the loop's own thread.
final class EventLoop: @unchecked Sendable {
  private let mailbox: LoopMailbox
  private let thread = Mutex<BlockingThread?>(nil)
  private let services: LoopServices
  private let poller: Poller
  private let events = Poller.Events()
  private let registry = Registry()
  private let reader: SocketReader
  private let flushQueue = HTTP2FlushQueue()
  private let dialer: Dialer
  let dispatcher: TransferDispatcher
  /// The commands being processed; empty between rounds, and kept for its storage.
  private var commands: [LoopCommand] = []
  /// The streams that ended in the current step of an HTTP/2 connection; empty between steps, and kept for
  /// its storage.
  private var endedStreams: [HTTP2Connection.EndedStream] = []
  private var whenStopped: [CheckedContinuation<Void, Never>] = []
  private var isStopping = false

  /// Creates a loop and starts its thread.
  static func start(
    _ options: SocketOptions, _ services: LoopServices
  ) throws(SystemError) -> EventLoop {
    let loop = try EventLoop(options, services)
    let thread = try BlockingThread("imgdl-socket") { loop.run() }
    loop.thread.withLock { $0 = thread }
    services.register(loop.mailbox)
    return loop
  }

  /// Creates a loop without a thread, whose iterations the caller performs.
  init(_ options: SocketOptions, _ services: LoopServices) throws(SystemError) {
    self.services = services
    poller = try Poller()
    mailbox = LoopMailbox(wakeUp: poller.wakeUp)
    reader = SocketReader(
      sectionBytes: max(options.headerBytes, options.trailerBytes), limiter: services.limiter)
    dialer = Dialer(options, services, mailbox, poller, registry, reader)
    dispatcher = TransferDispatcher(
      options, services, mailbox, registry, reader, flushQueue, dialer)
  }

  /// Submits a command to the loop's thread. May be called from any thread; commands are processed
  /// in order.
  func submit(_ command: LoopCommand) { mailbox.submit(command) }

  /// Ends all transfers and the thread, without waiting for the end.
  func stop() { submit(.stop(nil)) }

  /// Ends all transfers and the thread, and returns when the thread has ended.
  func stopAndWait() async {
    await withCheckedContinuation { submit(.stop($0)) }
    // The thread resumed this task just before it ended, so the join does not block.
    detachThread()?.join()
  }

  /// Locks the mutex outside of the async caller, in which the optimizer of Swift 6.3 may keep the thread's
  /// id across an `await`, so that unlocking would trap.
  @inline(never)
  private func detachThread() -> BlockingThread? {
    thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
  }

  private func run() {
    while iterate() {}
    end()
  }

  /// Performs the commands and handles the events, after waiting for one if there is none.
  /// - Parameter maximumWait: The maximum time to wait in milliseconds; nil waits without a limit.
  /// - Returns: false after the loop was stopped.
  func iterate(maximumWait: Int32? = nil) -> Bool {
    while mailbox.drain(into: &commands) {
      for command in commands { perform(command) }
      commands.removeAll(keepingCapacity: true)
    }
    if isStopping { return false }
    flush()
    poller.wait(for: events, milliseconds: maximumWait ?? millisecondsToWait)
    mailbox.receiverIsAwake()
    let now = Machine.monotonicNanoseconds
    // Events come before commands, so that no new transfer gets an idle connection that has ended.
    for index in 0..<events.count {
      if let event = poller.event(index, of: events) {
        descriptorReady(event.token, event.readiness)
      }
    }
    readBuffered()
    resumePaused(now)
    // Deadlines are compared with the time before the events were handled: a sink may have blocked since
    // then, and input that arrived meanwhile is still unread. A full list may lack ready descriptors, so
    // the deadlines then wait for the next iteration.
    if !events.isFull { handleDeadlines(now) }
    return true
  }

  private func perform(_ command: LoopCommand) {
    switch command {
    case .start(let transfer): dispatcher.start(transfer)
    case .cancel(let id): dispatcher.cancel(id)
    case .resolved(let token, let family, let answer):
      dispatcher.handleDialing(dialer.resolved(token, family, answer))
    case .permit: dispatcher.admitNext()
    case .closeIdle: dispatcher.closeOldestIdle()
    case .stop(let continuation):
      isStopping = true
      if let continuation { whenStopped.append(continuation) }
    }
  }

  private var millisecondsToWait: Int32 {
    if reader.hasUnread { return 0 }
    let next = min(registry.nextDeadline, reader.nextTime)
    guard next < Moment.never else { return -1 }
    let now = Machine.monotonicNanoseconds
    return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
  }

  // MARK: - Handling events

  private func descriptorReady(_ token: UInt64, _ readiness: Poller.Readiness) {
    switch registry[token] {
    case .http1(let connection):
      dispatcher.handleHTTP1Event(connection.ready(readiness), of: connection)
    case .http2(let connection):
      connection.ready(readiness, into: &endedStreams)
      dispatcher.handleHTTP2Step(&endedStreams, of: connection)
    case .candidate(let attempt): dispatcher.handleDialing(dialer.candidateReady(attempt, token))
    case .handshake(let attempt): dispatcher.handleDialing(dialer.handshakeReady(attempt))
    case .attempt, .stream, nil: break
    }
  }

  /// Reads input that TLS has buffered, which the poller does not report.
  private func readBuffered() {
    for token in reader.drainUnread() {
      switch registry[token] {
      case .http1(let connection):
        dispatcher.handleHTTP1Event(connection.readBuffered(), of: connection)
      case .http2(let connection):
        connection.receive(into: &endedStreams)
        dispatcher.handleHTTP2Step(&endedStreams, of: connection)
      case .attempt, .candidate, .handshake, .stream, nil: break
      }
    }
  }

  /// Resumes the connections that waited for the rate limit, if bytes are available.
  private func resumePaused(_ now: UInt64) {
    for socket in reader.drainPaused(now) {
      switch registry[socket.token] {
      case .http1(let connection):
        dispatcher.handleHTTP1Event(connection.resume(at: now), of: connection)
      case .http2(let connection):
        connection.resume(at: now, into: &endedStreams)
        dispatcher.handleHTTP2Step(&endedStreams, of: connection)
      case .attempt, .candidate, .handshake, .stream, nil: break
      }
    }
  }

  private func handleDeadlines(_ now: UInt64) {
    while let registration = registry.nextDue(now) {
      switch registration {
      case .attempt(let attempt): dispatcher.handleDialing(dialer.handleDeadline(attempt, now))
      case .http1(let connection):
        dispatcher.handleHTTP1Event(connection.handleDeadline(now), of: connection)
      case .http2(let connection):
        if connection.hasIdledTooLong(now) { dispatcher.closeIdle(connection) }
      case .stream(let stream):
        stream.connection.handleDeadline(of: stream, now, into: &endedStreams)
        dispatcher.handleHTTP2Step(&endedStreams, of: stream.connection)
      case .candidate, .handshake: break
      }
    }
  }

  /// Sends the HTTP/2 frames that were queued during this round of the loop.
  private func flush() {
    while let connection = flushQueue.popLast() {
      connection.flush(into: &endedStreams)
      dispatcher.handleHTTP2Step(&endedStreams, of: connection)
    }
  }

  /// Ends all transfers after the last iteration.
  func end() {
    dispatcher.stop()
    services.unregister(mailbox)
    mailbox.close()
    for continuation in whenStopped { continuation.resume() }
  }
}
