import JSON
import Models
import Testing
@testable import Aria2

/// A machine for a library at `/library`, with calls and answers as texts.
struct Fixture {
  static let one = "0000000000000001"
  static let two = "0000000000000002"
  static let three = "0000000000000003"

  var machine: Aria2Machine
  /// The result of the reading of every Metalink document.
  var metalink = Metalink.files([], problems: [])

  enum Metalink {
    case files([MetalinkFile], problems: [String])
    case failure(String)
  }

  init(
    _ options: [(name: String, value: String)] = [], root: String = "/library",
    sessionLimit: Int? = nil, resultLimit: Int? = nil, awaitsLibrary: Bool = false,
    proxies: (http: String, https: String) = ("", "")
  ) throws {
    var configuration = Aria2Machine.Configuration(
      root: root, seed: 7, sessionID: String(repeating: "ab", count: 20), version: "0.1")
    if let sessionLimit { configuration.sessionLimit = sessionLimit }
    if let resultLimit { configuration.resultLimit = resultLimit }
    configuration.awaitsLibrary = awaitsLibrary
    configuration.proxies = proxies
    machine = try Aria2Machine(configuration, options: options)
    _ = machine.takeActions()
  }

  /// Calls a method, and returns the JSON of its result, or the message of its error.
  mutating func call(_ method: String, _ parameters: String = "[]") throws -> String {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
    let reply = send(text).reply
    let response = try JSONValue(parsing: reply.body, .strict)
    if let message = response["error"]?["message"]?.text { return "error: \(message)" }
    return String(decoding: response["result"]?.bytes ?? [], as: UTF8.self)
  }

  /// Sends a message, and returns the JSON of the response.
  mutating func send(
    _ text: String, _ authority: RPCAuthority = RPCAuthority(isGranted: true)
  ) -> (text: String, reply: RPCReply) {
    let message = ClientMessage(Array(text.utf8))
    var contents = MetalinkContents()
    for document in message.metalinkDocuments(for: authority) {
      switch metalink {
      case .files(let files, let problems): contents.add(files, problems: problems, of: document)
      case .failure(let sentence): contents.add(failure: sentence, of: document)
      }
    }
    let reply = machine.handle(message, authority, contents)
    return (String(decoding: reply.body, as: UTF8.self), reply)
  }

  /// Adds a download with a chosen GID.
  mutating func add(
    _ gid: String, _ uri: String = "http://a.example/f", _ options: String = ""
  ) throws {
    let rest = options.isEmpty ? "" : "," + options
    _ = try call("aria2.addUri", #"[["\#(uri)"],{"gid":"\#(gid)"\#(rest)}]"#)
  }

  /// Adds the GIDs 1 to `count`, all of them paused.
  mutating func addPaused(_ count: Int) throws {
    for number in 1...count {
      try add(gid(number), "http://a.example/\(number)", #""pause":"true""#)
    }
  }

  func gid(_ number: Int) -> String { GID(rawValue: UInt64(number))?.description ?? "" }

  mutating func actions() -> [Aria2Action] { machine.takeActions() }

  /// The kinds of the notifications since the last call, with the last digit of each GID.
  mutating func notifications() -> [String] {
    actions().compactMap { action in
      guard case .notify(let notification) = action else { return nil }
      return "\(notification.kind) \(notification.gid.description.suffix(1))"
    }
  }

  /// The orders since the last call.
  mutating func orders() -> [TransferOrder] {
    actions().compactMap { if case .start(let order) = $0 { order } else { nil } }
  }

  /// Tells the machine that the library has created the resource of a download.
  mutating func addResource(_ id: Int64, to gid: String, folder: String = "/library/aria2") throws {
    let gid = try #require(GID(gid))
    machine.handle(.resourceAdded(gid, ResourceID(id), folder: folder), now: 0)
  }

  /// The members of a status object, as JSON.
  mutating func status(_ gid: String, _ keys: String...) throws -> String {
    let list = keys.map { "\"\($0)\"" }.joined(separator: ",")
    return try call("aria2.tellStatus", "[\"\(gid)\",[\(list)]]")
  }
}
