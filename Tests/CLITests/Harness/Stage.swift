import HTTP1
import Models
import Origin
import Synchronization

/// A server whose answers can stop half-way until a test lets them go on, and which knows validators
/// and ranges.
final class Stage: Sendable {
  struct Request: Sendable {
    let path: String
    /// The Range field.
    let range: String?
    /// The If-None-Match field.
    let condition: String?
  }

  private struct Answer: Sendable {
    var status = 200
    var body: [UInt8] = []
    var fields: [String] = []
    var isHeld = false
  }

  /// What is held goes on when it opens.
  let gate: Gate
  private let server: ScriptedServer
  private let site: Site

  init() throws {
    gate = try Gate()
    let site = Site()
    self.site = site
    server = try ScriptedServer { [gate] _, _, request in
      guard let head = request.head else { return [.reset] }
      return site.actions(for: head, gate)
    }
  }

  deinit { server.stop() }

  func url(_ path: String) -> String { server.url + path }

  /// - Parameter held: half of the body comes; the rest when the gate is open.
  /// - Returns: its URL.
  @discardableResult
  func serve(
    _ path: String, _ body: [UInt8], held: Bool = false, fields: [String] = []
  ) -> String {
    site.set(path, Answer(body: body, fields: fields, isHeld: held))
    return url(path)
  }

  @discardableResult
  func serve(_ path: String, _ text: String, fields: [String] = []) -> String {
    serve(path, Array(text.utf8), fields: fields)
  }

  /// Answers with a status and no body.
  @discardableResult
  func refuse(_ path: String, _ status: Int, fields: [String] = []) -> String {
    site.set(path, Answer(status: status, fields: fields))
    return url(path)
  }

  /// Files that are held, all different; `count` of them.
  func hold(_ name: String, _ count: Int, bytes: Int = 300_000) -> [String] {
    (1...count).map { serve("\(name)-\($0).bin", Sample.bytes(bytes + $0), held: true) }
  }

  /// In the order in which they came.
  var requests: [Request] {
    server.requests.compactMap { received in
      received.head.map {
        Request(
          path: String($0.target.dropFirst()), range: $0.fields["Range"],
          condition: $0.fields["If-None-Match"])
      }
    }
  }

  func requests(of path: String) -> [Request] { requests.filter { $0.path == path } }

  /// What is served under which path.
  private final class Site: Sendable {
    private let answers = Mutex<[String: Answer]>([:])

    func set(_ path: String, _ answer: Answer) { answers.withLock { $0[path] = answer } }

    func actions(for request: RequestHeadMessage, _ gate: Gate) -> [ScriptedServer.Action] {
      let path = String(request.target.dropFirst())
      guard let answer = answers.withLock({ $0[path] }) else {
        return [.send(Reply.bytes((404, [])))]
      }
      guard answer.status == 200 else {
        return [.send(Reply.bytes((answer.status, []), fields: answer.fields))]
      }
      let tag = "\"\(answer.body.hashValue)\""
      if request.fields["If-None-Match"] == tag {
        return [.sendString("HTTP/1.1 304 Text\r\nETag: \(tag)\r\n\r\n")]
      }
      let start = Self.start(request, tag, answer.body.count)
      let rest = Array(answer.body[start...])
      let fields = answer.fields + ["ETag: \(tag)"] + Self.range(start, answer.body.count)
      let reply = Reply.bytes((start > 0 ? 206 : 200, rest), fields: fields)
      guard answer.isHeld, !gate.isOpen else { return [.send(reply)] }
      let half = reply.count - rest.count / 2
      return [.send(Array(reply[..<half])), .hold(gate), .send(Array(reply[half...]))]
    }

    private static func range(_ start: Int, _ count: Int) -> [String] {
      start > 0 ? ["Content-Range: bytes \(start)-\(count - 1)/\(count)"] : []
    }

    /// Of `bytes=N-`, if that may be answered.
    private static func start(_ request: RequestHeadMessage, _ tag: String, _ count: Int) -> Int {
      guard let range = request.fields["Range"], request.fields["If-Range"] ?? tag == tag,
        let number = Int(range.dropFirst("bytes=".count).dropLast()), number < count
      else { return 0 }
      return number
    }
  }
}
