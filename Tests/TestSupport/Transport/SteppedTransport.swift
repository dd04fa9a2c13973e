import Models
import Synchronization
public import Transport

/// A transport in which nothing goes on before a test says so: an exchange stands still before its head, and
/// once more in the middle of its body. What it answers is written down in a `FakeTransport`.
///
/// Only exchanges without a task (`begin`) are held, and of them those whose URLs are to be.
public final class SteppedTransport: Transport {
  /// An exchange that stands still.
  public struct Held: Sendable {
    fileprivate let number: UInt64
    public let url: String
    public let addresses: AddressPolicy
  }

  private struct Exchange: Sendable {
    let url: String
    let addresses: AddressPolicy
    let gates = [Gate(), Gate()]
    /// The gate that it comes to next, or stands before.
    var next = 0
    var isCancelled = false

    var isHeld: Bool { !isCancelled && next < gates.count && gates[next].waiting > 0 }
  }

  private struct State {
    var exchanges: [UInt64: Exchange] = [:]
    var last: UInt64 = 0
    var isFree = false
  }

  private struct Running: Cancellable {
    let number: UInt64
    let transport: SteppedTransport
    let task: Task<Void, Never>

    func cancel() {
      // At once: who is told to end does not stand still any more.
      transport.state.withLock { $0.exchanges[number]?.isCancelled = true }
      task.cancel()
    }
  }

  private let web: FakeTransport
  private let holds: @Sendable (String) -> Bool
  private let state = Mutex(State())

  /// - Parameter holds: whether exchanges of a URL stand still.
  public init(_ web: FakeTransport, holds: @escaping @Sendable (String) -> Bool = { _ in true }) {
    self.web = web
    self.holds = holds
  }

  /// What stands still, by URL.
  public var held: [Held] {
    state.withLock { state in
      state.exchanges.filter { $0.value.isHeld }.map { number, exchange in
        Held(number: number, url: exchange.url, addresses: exchange.addresses)
      }
    }.sorted { ($0.url, $0.number) < ($1.url, $1.number) }
  }

  /// Lets it go on to its end, or to the middle of its body.
  public func goOn(_ held: Held, toEnd: Bool) {
    state.withLock { state in
      guard var exchange = state.exchanges[held.number], exchange.next < exchange.gates.count
      else { return }
      repeat {
        exchange.gates[exchange.next].open()
        exchange.next += 1
      } while toEnd && exchange.next < exchange.gates.count
      state.exchanges[held.number] = exchange
    }
  }

  /// From now on nothing stands still.
  public func letGo() {
    state.withLock { state in
      state.isFree = true
      for exchange in state.exchanges.values { for gate in exchange.gates { gate.open() } }
    }
  }

  public func begin(
    _ request: TransportRequest, into sink: any BodySink,
    whenEnded: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
  ) -> any Cancellable {
    let exchange = Exchange(url: request.url.description, addresses: request.addresses)
    let number = state.withLock { state in
      state.last += 1
      state.exchanges[state.last] = exchange
      if state.isFree || !holds(exchange.url) { for gate in exchange.gates { gate.open() } }
      return state.last
    }
    let task = Task { @concurrent in
      let result = await answer(request, exchange.gates, sink)
      state.withLock { $0.exchanges[number] = nil }
      whenEnded(result)
    }
    return Running(number: number, transport: self, task: task)
  }

  private func answer(
    _ request: TransportRequest, _ gates: [Gate], _ sink: any BodySink
  ) async -> Result<TransportResponse, TransportError> {
    web.note(request)
    do {
      try await gates[0].pass()
    } catch {
      return .failure(TransportError(.cancelled, url: request.url, detail: "cancelled"))
    }
    do throws(TransportError) {
      // Now: what was cancelled before its head has taken no answer from the next request.
      let answer = try web.takeAnswer(to: request)
      let held = answer.held(by: gates[1], after: answer.body.count / 2)
      return .success(try await FakeExchange(request: request, answer: held, sink: sink).run())
    } catch {
      return .failure(error)
    }
  }

  @concurrent
  public func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    try await web.perform(request, into: sink)
  }

  public func shutdown() async { await web.shutdown() }
}
