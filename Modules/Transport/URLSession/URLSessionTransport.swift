import Models
import Synchronization
public import SystemCalls
import Threading
public import Transport
public import WorkerProcess

/// The `url-session` adapter: Foundation's URLSession, at arm's length.
///
/// A bad server can kill a process that uses URLSession on Linux, so it runs in the helper program
/// `imgdl-urlsession`. The bodies come through spool files without names; a thread of ours reads
/// them and calls the sinks. When a helper dies, its transfers run again without counting an
/// attempt, and only the one that killed it fails, with `.helperDied`.
///
/// What it cannot do, and the `socket` adapter can: hold a server back when the sink is slow (the
/// spool grows instead), tell the address of the peer, tell connecting from waiting (one deadline
/// for both), use an own list of authorities or an address family, keep fields of the same name
/// apart. `AddressPolicy.publicOnly` is checked on the addresses that the name has just before the
/// request, not on the one connected to.
///
/// While a server is slow to answer on a new connection, URLSession's own thread may spin and use a
/// whole processor core in the helper (measured; the wait is inside Foundation, and ends with the
/// first byte). Transfers are not slower for it; the machine is.
public final class URLSessionTransport: Transport {
  public struct Configuration: Sendable {
    /// The helper and its environment.
    public var program: WorkerProgram
    /// A folder for bodies on their way. Nothing stays there.
    public var spoolFolder: String
    public var userAgent: String
    /// Active transfers in one helper; the others wait.
    public var transfersPerHelper = 64
    /// Seconds for a helper to start before it is killed.
    public var startTimeout = 10.0
    /// Seconds for a helper to let go of a transfer before it is killed: `cancel()` of URLSession
    /// can deadlock.
    public var cancelTimeout = 10.0
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

  /// Starts nothing yet: the thread and the helper come with the first request.
  public init(_ configuration: Configuration) throws(SystemError) {
    self.configuration = configuration
    mailbox = try HelperMailbox()
  }

  deinit { _ = mailbox.post(.shutdown(nil)) }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    try RequestFields.check(request)
    if Task.isCancelled {
      throw TransportError(.cancelled, url: request.url, detail: "cancelled")
    }
    let id = nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    let askedAt = Machine.monotonicNanoseconds
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(
          Submission(id: id, request: request, sink: sink, askedAt: askedAt, result: continuation))
        // The handler below may have run before the loop knew the transfer.
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
    case .delivererStartsLoop: startLoop()
    case .closed: refuse(submission, .cancelled, "the transport is shut down")
    }
  }

  private func startLoop() {
    do throws(SystemError) {
      // The loop must not keep the transport alive: the transport's end is its end.
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
