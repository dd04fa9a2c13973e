import Glibc
import Models
import SystemCalls
import Threading
import Transport
import WorkerProcess

/// The event loop of the `url-session` adapter: starts helpers, sends them exchanges, reads the
/// spool files and calls the sinks. Confined to its thread; other threads use the mailbox.
final class HelperLoop {
  let configuration: URLSessionTransport.Configuration
  let mailbox: HelperMailbox
  var scheduler: SlotScheduler
  var transfers: [UInt64: Transfer] = [:]
  var slots: [SlotScheduler.Slot: HelperSlot] = [:]
  /// The ids of the transfers whose spool file has undelivered bytes, or whose exchange has ended.
  var pumping: Set<UInt64> = []
  var nextExchange: UInt64 = 1
  /// The reason why the last helper could not be started or has ended.
  var startFailure = ""
  private var whenOver: CheckedContinuation<Void, Never>?
  private var isOver = false
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 4_096)

  init(_ configuration: URLSessionTransport.Configuration, mailbox: HelperMailbox) {
    self.configuration = configuration
    self.mailbox = mailbox
    scheduler = SlotScheduler(capacity: configuration.transfersPerHelper)
  }

  deinit { buffer.deallocate() }

  func run() {
    while !isOver {
      waitForWork()
      performCommands()
      for slot in Array(slots.keys) { receive(from: slot) }
      pump()
      enforceDeadlines()
    }
    cancelEverything()
    whenOver?.resume()
  }

  // MARK: - Waiting

  private func waitForWork() {
    var entries = [pollfd(fd: mailbox.wakeUp.descriptor.raw, events: Int16(POLLIN), revents: 0)]
    for slot in slots.values {
      entries.append(
        pollfd(fd: slot.worker.connection.raw, events: Int16(POLLIN), revents: 0))
    }
    poll(&entries, nfds_t(entries.count), pumping.isEmpty ? millisecondsToDeadline : 0)
  }

  /// The transfers for which a helper is working. Waiting transfers have no deadline.
  var running: [Transfer] {
    slots.values.flatMap { $0.exchanges.values.compactMap { transfers[$0] } }
  }

  private var millisecondsToDeadline: Int32 {
    let next = min(
      running.lazy.compactMap { $0.deadline?.time }.min() ?? .max,
      slots.values.lazy.compactMap(\.nextCheck).min() ?? .max)
    guard next != .max else { return -1 }
    let now = Machine.monotonicNanoseconds
    return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
  }

  // MARK: - Commands

  private func performCommands() {
    for command in mailbox.drain() {
      switch command {
      case .perform(let submission):
        transfers[submission.id] = Transfer(submission)
        handleSchedulerEvent(.submitted(submission.id))
      case .cancel(let id):
        if let transfer = transfers[id] {
          fail(transfer, transfer.error(.cancelled, "cancelled"))
        }
      case .shutdown(let continuation):
        whenOver = continuation
        isOver = true
      }
    }
  }

  private func cancelEverything() {
    for transfer in transfers.values {
      let error = transfer.error(.cancelled, "the transport is shut down")
      transfer.submission.result.resume(returning: .failure(error))
    }
    transfers = [:]
    for slot in slots.values { slot.worker.connection.close() }
    // All helpers together have one second to end.
    let deadline = Deadline.after(seconds: 1)
    for slot in slots.values where slot.worker.waitForExit(before: deadline) == nil {
      slot.worker.stop(grace: 0)
    }
    slots = [:]
  }

  // MARK: - Actions of the scheduler

  func handleSchedulerEvent(_ event: SlotScheduler.Event) {
    for action in scheduler.handle(event) {
      switch action {
      case .start(let slot): startHelper(in: slot)
      case .stop(let slot): slots.removeValue(forKey: slot)?.worker.stop(grace: 1)
      case .run(let id, let slot): startHop(id, in: slot)
      case .failCulprit(let id): failCulprit(id, startFailure)
      case .refuse(let id): failCulprit(id, "the helper program cannot start: \(startFailure)")
      }
    }
  }

  private func failCulprit(_ id: UInt64, _ detail: String) {
    guard let transfer = transfers[id] else { return }
    transfer.exchange = nil
    fail(transfer, transfer.error(.helperDied, detail))
  }

  private func startHelper(in slot: SlotScheduler.Slot) {
    do throws(WorkerError) {
      slots[slot] = try HelperSlot(
        configuration.program, startSeconds: configuration.startSeconds)
    } catch {
      startFailure = error.description
      handleSchedulerEvent(.helperDied(slot, unreleased: []))
    }
  }
}
