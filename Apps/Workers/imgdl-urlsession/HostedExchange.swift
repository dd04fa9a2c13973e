import Glibc
import Synchronization
import SystemCalls
import TransportURLSession

/// One HTTP exchange that URLSession performs in this process: the file that receives its body, and the
/// progress that has been reported to the adapter.
final class HostedExchange: Sendable {
  let number: UInt64
  private let spool: OwnedDescriptor
  private let maxBodyBytes: Int64
  private let outbox: Outbox
  private let state = Mutex(State())

  private struct State {
    var written: Int64 = 0
    var reported: Int64 = 0
    /// Whether the adapter has been sent a progress report that it has not acknowledged.
    var isReportOpen = false
    var hasHead = false
    /// Whether the end has been reported. No further event is sent, even if URLSession delivers more.
    var isOver = false
    /// The reason this process stopped the exchange itself; nil if it has not.
    var failure: ExchangeFailure?
  }

  init(_ order: ExchangeOrder, spool: OwnedDescriptor, outbox: Outbox) {
    number = order.exchange
    maxBodyBytes = order.maxBodyBytes
    self.spool = spool
    self.outbox = outbox
  }

  func receive(_ event: (UInt64) -> HelperEvent) {
    let isFirst = state.withLock { state in
      defer { state.hasHead = true }
      return !state.hasHead && !state.isOver
    }
    if isFirst { outbox.send(event(Machine.monotonicNanoseconds)) }
  }

  /// Appends to the spool. Called on the delegate's queue only.
  /// - Returns: false when the exchange should be cancelled.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (position, isWanted) = state.withLock { ($0.written, !$0.isOver && $0.failure == nil) }
    guard isWanted else { return false }
    guard Int64(bytes.count) <= maxBodyBytes - position else {
      return stop(ExchangeFailure(.bodyLimit))
    }
    do throws(SystemError) {
      try spool.write(all: bytes, at: position)
    } catch {
      return stop(ExchangeFailure(.spool, code: error.errno, text: error.reason))
    }
    report { $0.written += Int64(bytes.count) }
    return true
  }

  /// Called when the adapter has acknowledged the last progress report, so that the next one may be sent.
  func acknowledge() {
    report { $0.isReportOpen = false }
  }

  /// Called when URLSession has finished the task, with a failure or without one.
  func finish(_ failure: ExchangeFailure? = nil) {
    let bytes: Int64? = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver ? nil : state.written
    }
    guard let bytes else { return }
    // A failure found by this process takes precedence: URLSession knows at most that the task was
    // cancelled.
    if let failure = state.withLock(\.failure) ?? failure {
      outbox.send(.failed(exchange: number, bytes: bytes, failure))
    } else {
      outbox.send(.done(exchange: number, bytes: bytes, time: Machine.monotonicNanoseconds))
    }
  }

  private func stop(_ failure: ExchangeFailure) -> Bool {
    state.withLock { $0.failure = failure }
    return false
  }

  private func report(_ change: (inout State) -> Void) {
    let bytes: Int64? = state.withLock { state in
      change(&state)
      guard !state.isReportOpen, !state.isOver, state.written > state.reported else { return nil }
      state.isReportOpen = true
      state.reported = state.written
      return state.written
    }
    guard let bytes else { return }
    outbox.send(.progress(exchange: number, bytes: bytes, time: Machine.monotonicNanoseconds))
  }
}
