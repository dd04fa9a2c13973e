import Glibc
import Models
import Synchronization
import SystemCalls
import Threading
import Transport

@testable import TransportSocket

/// What the components of a loop need, without a loop: the test reports what the poller would.
final class LoopFixture {
  let registry = Registry()
  let reader = SocketReader(sectionBytes: 0, limiter: RateLimiter(rate: 0))
  private let poller: Poller

  init() throws { poller = try Poller() }

  deinit { poller.close() }

  /// A socket of a component, and the peer at its other end.
  func socket() throws -> (ConnectedSocket, peer: OwnedDescriptor) {
    let (ours, peer) = try Channels.socketPair()
    _ = fcntl(ours.raw, F_SETFL, O_NONBLOCK)
    let token = registry.makeToken()
    try poller.add(ours.raw, .output, token: token)
    let socket = ConnectedSocket(
      token: token, address: SocketAddress(ip: .loopback, port: 80), descriptor: ours,
      poller: poller, interest: .output)
    return (socket, peer)
  }

  static func transfer(
    _ url: String = "http://a.example/x", request: String = "GET\r\n",
    limits: TransferLimits = TransferLimits(), proxy: ProxyServer? = nil,
    into sink: any BodySink = RecordingSink()
  ) throws -> Transfer {
    let hop = Hop(
      url: try HTTPURL(url), request: Array(request.utf8), fields: HTTPFields(), limits: limits,
      addresses: .any, proxy: proxy, started: Machine.monotonicNanoseconds)
    return Transfer(id: 1, hop: hop, connectionLimit: 1, sink: sink) { _ in }
  }
}

extension OwnedDescriptor {
  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    // A pair takes such small messages as a whole.
    guard Glibc.send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw SystemError.last("send")
    }
  }

  /// What has come so far; blocks until there is something.
  func receive() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(raw, &bytes, bytes.count, 0)
    guard count >= 0 else { throw SystemError.last("receive") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
