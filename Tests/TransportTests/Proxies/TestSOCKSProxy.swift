import Glibc
import Synchronization

/// A SOCKS proxy on loopback that answers each message as a script says.
final class TestSOCKSProxy: Sendable {
  /// A message of the client (RFC 1928 §3, §4; RFC 1929 §2).
  enum Message: Sendable, Equatable {
    case greeting([UInt8])
    case credentials(user: String, password: String)
    /// The address in the form of the protocol: the type and what follows it.
    case connect(address: [UInt8], port: Int)

    var isConnect: Bool { if case .connect = self { true } else { false } }
  }

  enum Answer: Sendable {
    /// These bytes; the next message follows.
    case bytes([UInt8])
    /// These bytes, and the end of the connection.
    case last([UInt8])
    /// These bytes, and the way to the named port of 127.0.0.1.
    case tunnel([UInt8])
    /// Nothing at all, until the client goes.
    case silence
  }

  static let success: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0x1f, 0x90]

  private let listener: ProxyListener
  private let record: MessageRecord

  init(_ script: @escaping @Sendable (_ message: Message) -> Answer) throws {
    let record = MessageRecord()
    self.record = record
    listener = try ProxyListener { listener, raw in
      var previous: [UInt8] = []
      while let message = Self.readMessage(raw, after: previous) {
        record.append(message)
        switch script(message) {
        case .bytes(let bytes):
          _ = send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          previous = bytes
        case .last(let bytes):
          _ = send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          return
        case .tunnel(let bytes):
          guard case .connect(_, let port) = message else { return }
          return listener.relay(raw, toPort: port, answer: bytes)
        case .silence:
          var byte: UInt8 = 0
          _ = recv(raw, &byte, 1, 0)
          return
        }
      }
    }
  }

  /// A proxy that connects to every host, for anybody or for one user only.
  convenience init(user: String? = nil, password: String = "") throws {
    try self.init { message in
      switch message {
      case .greeting(let methods):
        let wanted: UInt8 = user == nil ? 0 : 2
        return .bytes([5, methods.contains(wanted) ? wanted : 0xff])
      case .credentials(let name, let word):
        return .bytes([1, name == user && word == password ? 0 : 1])
      case .connect: return .tunnel(Self.success)
      }
    }
  }

  var port: Int { listener.port }
  var url: String { "socks5://127.0.0.1:\(port)" }
  var connections: Int { listener.connections }
  /// What clients sent.
  var messages: [Message] { record.messages }

  /// The proxy lives until this is called.
  func stop() { listener.stop() }

  private static func readMessage(_ raw: Int32, after answer: [UInt8]) -> Message? {
    guard let version = read(raw, 1)?.first else { return nil }
    switch (version, answer) {
    case (5, []):
      return read(raw, 1).flatMap { read(raw, Int($0[0])) }.map { .greeting($0) }
    case (1, [5, 2]):
      guard let user = read(raw, 1).flatMap({ read(raw, Int($0[0])) }),
        let password = read(raw, 1).flatMap({ read(raw, Int($0[0])) })
      else { return nil }
      return .credentials(
        user: String(decoding: user, as: UTF8.self),
        password: String(decoding: password, as: UTF8.self))
    case (5, _):
      guard let head = read(raw, 4), head[0] == 1, head[1] == 0 else { return nil }
      let length = [1: 3, 3: Int(head[3]), 4: 15][head[2]] ?? 0
      guard let rest = read(raw, length), let port = read(raw, 2) else { return nil }
      return .connect(
        address: Array(head[2...]) + rest, port: Int(port[0]) << 8 | Int(port[1]))
    default: return nil
    }
  }

  private static func read(_ raw: Int32, _ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < count {
      guard recv(raw, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

/// The messages of clients, in the order of their arrival.
private final class MessageRecord: Sendable {
  private let state = Mutex<[TestSOCKSProxy.Message]>([])

  var messages: [TestSOCKSProxy.Message] { state.withLock { $0 } }

  func append(_ message: TestSOCKSProxy.Message) { state.withLock { $0.append(message) } }
}
