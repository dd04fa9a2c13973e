import Foundation
import FoundationNetworking
import Models
import Synchronization
import TransportURLSession

/// URLSession's delegate. Its methods only write to spools and send events to the adapter: slow work would
/// delay every transfer, and a method that waits for URLSession could deadlock.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  /// The client; set once, before the first task.
  let client = Mutex<SessionClient?>(nil)
  private let exchanges = Mutex<[Int: HostedExchange]>([:])

  func register(_ exchange: HostedExchange, as task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  @discardableResult
  func end(_ task: URLSessionTask) -> HostedExchange? {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private func exchange(_ task: URLSessionTask) -> HostedExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  // MARK: - URLSession

  /// Follows no redirect: the adapter decides about redirects, and URLSession would send credentials to other
  /// hosts, or trap (swift-corelibs-foundation #5445).
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The disposition has no effect: URLSession on Linux continues to read in any case.
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    reportHead(of: dataTask, response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(dataTask) else { return }
    let isWanted = data.withUnsafeBytes { exchange.write($0) }
    if !isWanted { client.withLock { $0 }?.cancel(exchange.number) }
  }

  /// Reports the end of a response with status 401, which URLSession never completes by itself
  /// (swift-corelibs-foundation #5456). The body has arrived, so the exchange is complete.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let exchange = end(task) else { return }
    let client = client.withLock { $0 }
    client?.cancel(exchange.number)
    client?.forget(exchange.number)
    exchange.finish()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    // URLSession delivers no response for a redirect without a usable target, so its head is reported here.
    if error == nil, let response = task.response { reportHead(of: task, response) }
    guard let exchange = end(task) else { return }
    client.withLock { $0 }?.forget(exchange.number)
    exchange.finish(error.map { ExchangeFailure($0) })
  }

  private func reportHead(of task: URLSessionTask, _ response: URLResponse) {
    guard let exchange = exchange(task), let response = response as? HTTPURLResponse,
      response.statusCode == 101 || response.statusCode >= 200
    else { return }
    var fields = HTTPFields()
    for (name, value) in response.allHeaderFields {
      fields.append("\(name)", "\(value)")
    }
    exchange.receive { time in
      .head(
        exchange: exchange.number, status: UInt16(clamping: response.statusCode), fields: fields,
        time: time)
    }
  }
}

extension ExchangeFailure {
  fileprivate init(_ error: any Error) {
    let error = error as NSError
    let isCancelled = error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
    self.init(
      isCancelled ? .cancelled : .urlSession, code: Int32(clamping: error.code),
      text: String(error.localizedDescription.prefix(1_000)))
  }
}
