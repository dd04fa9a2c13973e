import Glibc
import Models
import Synchronization

/// A proxy on loopback: relays what CONNECT asks for to 127.0.0.1, and answers other requests itself.
final class TestProxy: Sendable {
  enum Answer: Sendable {
    /// 200, and the way to the port that was named.
    case tunnel
    /// These bytes, and the end of the connection.
    case bytes(String)
    /// The end of the connection.
    case nothing
    /// Nothing at all, until the client goes.
    case silence
  }

  private let listener: ProxyListener
  private let record: HeadRecord

  init(_ script: @escaping @Sendable (_ head: String) -> Answer) throws {
    let record = HeadRecord()
    self.record = record
    listener = try ProxyListener { listener, raw in
      while let head = Self.readHead(raw) {
        record.append(head)
        switch script(head) {
        case .tunnel: return Self.tunnel(listener, raw, head)
        case .bytes(let text):
          let bytes = Array(text.utf8)
          _ = send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          if !head.hasPrefix("GET ") { return }
        case .nothing: return
        case .silence:
          var byte: UInt8 = 0
          _ = recv(raw, &byte, 1, 0)
          return
        }
      }
    }
  }

  var port: Int { listener.port }

  /// What clients sent, up to the empty line.
  var heads: [String] { record.heads }

  /// That clients made.
  var connections: Int { listener.connections }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The proxy lives until this is called.
  func stop() { listener.stop() }

  private static func readHead(_ raw: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard recv(raw, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func tunnel(_ listener: ProxyListener, _ raw: Int32, _ head: String) {
    let target = head.split(separator: " ").dropFirst().first ?? ""
    let port = target.split(separator: ":").last.flatMap { Int($0) } ?? 0
    let answer = "HTTP/1.1 200 Connected\r\nContent-Length: 7\r\n\r\n"
    listener.relay(raw, toPort: port, answer: Array(answer.utf8))
  }
}

/// The heads of requests, in the order of their arrival.
private final class HeadRecord: Sendable {
  private let state = Mutex<[String]>([])

  var heads: [String] { state.withLock { $0 } }

  func append(_ head: String) { state.withLock { $0.append(head) } }
}
