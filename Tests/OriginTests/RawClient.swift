import Glibc
import HTTP1
import Models

/// A blocking client for a server of this machine: sees what is really on the wire.
final class RawClient {
  enum End { case open, finished, reset, timedOut }

  private let socket: Int32
  private var unread: [UInt8] = []
  private(set) var end = End.open

  /// Reads wait ten seconds at most: a server that hangs fails its test and does not hang it.
  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var time = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(text: "connect: \(errno)") }
  }

  struct Failure: Error { let text: String }

  deinit { close() }

  private var isClosed = false

  func close() {
    if !isClosed { Glibc.close(socket) }
    isClosed = true
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func get(_ target: String, _ fields: String = "", method: String = "GET") {
    send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
  }

  /// One more piece of what the server sends; `false` at the end of the stream.
  func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0 { unread += buffer[..<count] }
    if count == 0 { end = .finished }
    if count < 0 { end = errno == ECONNRESET ? .reset : .timedOut }
    return count > 0
  }

  /// Everything until the end of the stream.
  func rest() -> [UInt8] {
    while receive() {}
    defer { unread = [] }
    return unread
  }

  struct Response {
    var head = ResponseHeadMessage(status: 0)
    var body: [UInt8] = []
    var error: HTTPParseError?
    var isComplete = false
    var allowsReuse = false

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The next response, as far as it comes. With `headOnly`, no further than its empty line.
  func response(toHEAD: Bool = false, headOnly: Bool = false) -> Response {
    var parser = ResponseParser(isResponseToHEAD: toHEAD)
    var response = Response()
    do throws(HTTPParseError) {
      reading: while true {
        let input = unread
        let (consumed, step) = try parser.parse(input.span.bytes)
        if case .body(let range) = step { response.body += input[range] }
        unread.removeFirst(consumed)
        switch step {
        case .head(let head):
          response.head = head
          if headOnly { break reading }
        case .body: break
        case .end: break reading
        case .needInput:
          if receive() { continue }
          if end == .finished { try parser.finishInput() }
          break reading
        }
      }
    } catch {
      response.error = error
    }
    response.isComplete = parser.isComplete
    response.allowsReuse = parser.allowsReuse
    return response
  }
}
