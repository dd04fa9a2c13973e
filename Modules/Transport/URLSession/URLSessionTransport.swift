import Models
import Synchronization
public import SystemCalls
import Threading
public import Transport
public import WorkerProcess

/// The `url-session` adapter: Foundation's URLSession in a helper process.
///
/// A malicious server can crash a process that uses URLSession on Linux, so URLSession runs in the
/// helper program `imgdl-urlsession`. Bodies arrive through unnamed spool files; a thread of the
/// adapter reads them and calls the sinks. When a helper dies, its transfers run again without
/// counting an attempt, and only the transfer that killed it fails, with `.helperDied`.
///
/// Compared with the `socket` adapter, this one cannot slow a server down when the sink is slow
/// (the spool grows instead), report the peer's address, report when a connection is established
/// (`ProcessSockets` infers it), use a CA file, restrict the address family, or keep fields of the
/// same name separate. `AddressPolicy.publicOnly` is checked on the addresses to which the name
/// resolves just before the request, not on the address of the connection.
///
/// While a server is slow to respond on a new connection, URLSession's thread may spin and use a
/// whole processor core in the helper (measured; the wait is inside Foundation and ends with the
/// first byte). Transfers do not become slower, but other programs lose that core.
public final class URLSessionTransport: Transport {
  public struct Configuration: Sendable {
    /// The helper program and its environment.
    public var program: WorkerProgram
    /// The folder for unnamed spool files of bodies, which disappear when they are closed.
    public var spoolFolder: String
    public var userAgent: String
    /// The maximum number of active transfers in one helper; further ones wait.
    public var transfersPerHelper = 64
    /// The processor time in seconds after which a helper that has not started is killed; ten times as
    /// long on the clock (`WorkTime`).
    public var startSeconds = 10.0
    /// The processor time in seconds after which a helper that has not released a transfer is killed, or
    /// ten times as long on the clock: `cancel()` of URLSession can deadlock.
    public var cancelSeconds = 3.0
    public var maxHeaderBytes = 65_536
    public var maxHeaderFields = 256

    public init(program: WorkerProgram, spoolFolder: String, userAgent: String = "imgdl") {
      self.program = program
      self.spoolFolder = spoolFolder
      self.userAgent = userAgent
    }
  }

  private let configuration: Configuration
  private let mailbox: HelperMailbox
  private let nextID = Atomic<UInt64>(1)

  /// Creates the transport without starting anything; the thread and the helper start with the
  /// first request.
  public init(_ configuration: Configuration) throws(SystemError) {
    self.configuration = configuration
    mailbox = try HelperMailbox()
  }

  deinit { _ = mailbox.post(.shutdown(nil)) }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    try SessionFields.check(request)
    if Task.isCancelled {
      throw TransportError(.cancelled, url: request.url, detail: "cancelled")
    }
    let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    let askedAt = Machine.monotonicNanoseconds
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(
          Submission(
            id: id, request: request, sink: sink, requestedAt: askedAt, result: continuation))
        // The cancellation handler may have run before the loop received the transfer, so the
        // cancellation is repeated.
        if Task.isCancelled { _ = mailbox.post(.cancel(id)) }
      }
    } onCancel: {
      _ = mailbox.post(.cancel(id))
    }
    return try result.get()
  }

  public func shutdown() async {
    await withCheckedContinuation { continuation in
      if mailbox.post(.shutdown(continuation)) == .closed { continuation.resume() }
    }
  }

  private func submit(_ submission: Submission) {
    switch mailbox.post(.perform(submission)) {
    case .delivered: break
    case .loopStartNeeded: startLoop()
    case .closed: refuse(submission, .cancelled, "the transport is shut down")
    }
  }

  private func startLoop() {
    do throws(SystemError) {
      // The loop must not retain the transport, because the transport's `deinit` ends the loop.
      try BlockingThread("url-session") { [configuration, mailbox] in
        HelperLoop(configuration, mailbox: mailbox).run()
      }
    } catch {
      for command in mailbox.close() {
        switch command {
        case .perform(let submission): refuse(submission, .system, error.description)
        case .shutdown(let continuation): continuation?.resume()
        case .cancel: break
        }
      }
    }
  }

  private func refuse(
    _ submission: Submission, _ code: TransportError.Code, _ detail: String
  ) {
    let error = TransportError(code, url: submission.request.url, detail: detail)
    submission.result.resume(returning: .failure(error))
  }
}
