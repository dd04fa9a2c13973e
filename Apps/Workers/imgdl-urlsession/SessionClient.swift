import Dispatch
import Foundation
import FoundationNetworking
import Models
import SystemCalls
import Synchronization
import Transport
import TransportURLSession

/// The URLSession of the process, and its tasks. There is only one session, because sessions do not end
/// cleanly.
final class SessionClient: Sendable {
  private let outbox: Outbox
  private let delegate: SessionDelegate
  private let session: URLSession
  private let tasks = Mutex<[UInt64: Running]>([:])
  /// The queue for `cancel()`, which waits for URLSession's work queue and can deadlock with it; only this
  /// queue may block.
  private let cancelling = DispatchQueue(label: "cancelling")
  private let resolving = DispatchQueue(label: "resolving", attributes: .concurrent)

  private struct Running {
    let exchange: HostedExchange
    var task: URLSessionTask?
    var isCancelled = false
  }

  init(_ outbox: Outbox) {
    self.outbox = outbox
    delegate = SessionDelegate()
    session = URLSession(
      configuration: Self.configuration, delegate: delegate,
      delegateQueue: BoundedQueue(capacity: 64))
    delegate.client.withLock { $0 = self }
  }

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The adapter enforces its own deadlines, so this timeout only has to be longer.
    configuration.timeoutIntervalForRequest = 86_400
    configuration.httpMaximumConnectionsPerHost = 256
    return configuration
  }

  func perform(_ command: HelperCommand) {
    switch command {
    case .start(let order, let spool):
      let exchange = HostedExchange(order, spool: spool, outbox: outbox)
      tasks.withLock { $0[order.exchange] = Running(exchange: exchange) }
      if order.isPublicOnly {
        resolving.async { self.startIfPublic(order, exchange) }
      } else {
        start(order, exchange)
      }
    case .cancel(let number): cancel(number)
    case .progressSeen(let number):
      tasks.withLock { $0[number]?.exchange }?.acknowledge()
    }
  }

  /// Removes all state of an exchange that has ended.
  func forget(_ number: UInt64) {
    _ = tasks.withLock { $0.removeValue(forKey: number) }
  }

  func cancel(_ number: UInt64) {
    let running = tasks.withLock { tasks in
      tasks[number]?.isCancelled = true
      return tasks[number]
    }
    guard let running else { return }
    // If the task does not exist yet, `start` checks `isCancelled` when it has created the task.
    guard let task = running.task else { return }
    cancelling.async { task.cancel() }
  }

  private func start(_ order: ExchangeOrder, _ exchange: HostedExchange) {
    guard let url = URL(string: order.url), url.absoluteString == order.url else {
      return refuse(exchange, ExchangeFailure(.url))
    }
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpShouldHandleCookies = false
    for field in order.fields.fields {
      request.addValue(field.value, forHTTPHeaderField: field.name)
    }
    let task = session.dataTask(with: request)
    delegate.register(exchange, as: task)
    let isWanted = tasks.withLock { tasks in
      tasks[order.exchange]?.task = task
      return tasks[order.exchange]?.isCancelled == false
    }
    guard isWanted else {
      delegate.end(task)
      return refuse(exchange, ExchangeFailure(.cancelled, text: "cancelled"))
    }
    task.resume()
  }

  private func refuse(_ exchange: HostedExchange, _ failure: ExchangeFailure) {
    forget(exchange.number)
    exchange.finish(failure)
  }

  private func startIfPublic(_ order: ExchangeOrder, _ exchange: HostedExchange) {
    guard let url = try? HTTPURL(order.url) else {
      return refuse(exchange, ExchangeFailure(.url))
    }
    switch SystemResolver.addresses(of: url.host) {
    case .failure(let failure):
      refuse(exchange, ExchangeFailure(.name, code: failure.code, text: failure.description))
    case .success(let addresses):
      guard !addresses.isEmpty, addresses.allSatisfy(\.isPublic) else {
        return refuse(exchange, ExchangeFailure(.address))
      }
      start(order, exchange)
    }
  }
}
