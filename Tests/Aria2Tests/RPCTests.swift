import JSON
import Synchronization
import Testing
@testable import Aria2

/// Messages, batches, multicalls and the secret.
@Suite struct RPCTests {
  private static let guarded = RPCAuthority(isGranted: false) { $0 == "s3cret" }

  private static func call(_ method: String, _ parameters: String) -> String {
    #"{"jsonrpc":"2.0","id":"q","method":"\#(method)","params":\#(parameters)}"#
  }

  static let messages: [(String, String, Int)] = [
    (
      #"{"jsonrpc":"2.0","id":"q","method":"aria2.getSessionInfo"}"#,
      #"{"id":"q","jsonrpc":"2.0","result":{"sessionId":"\#(String(repeating: "ab", count: 20))"}}"#,
      200
    ),
    (
      #"{"id":7,"method":"aria2.purgeDownloadResult","params":[]}"#,
      #"{"id":7,"jsonrpc":"2.0","result":"OK"}"#, 200
    ),
    (
      #"{"id":null,"method":"aria2.purgeDownloadResult"}"#,
      #"{"id":null,"jsonrpc":"2.0","result":"OK"}"#, 200
    ),
    // The token is removed, whether or not the server has a secret.
    (
      #"{"id":[1.50],"method":"aria2.getPeers","params":["token:x","0000000000000009"]}"#,
      #"{"id":[1.50],"jsonrpc":"2.0","error":{"code":1,"message":"GID 0000000000000009 is not found"}}"#,
      400
    ),
    (
      #"{"id":1,"method":"aria2.nothing"}"#,
      #"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"No such method: aria2.nothing"}}"#, 400
    ),
    (
      #"{"method":"aria2.getVersion"}"#,
      #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#, 400
    ),
    (
      #"{"id":1}"#,
      #"{"id":1,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#, 400
    ),
    (
      #"{"id":1,"method":5}"#,
      #"{"id":1,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#, 400
    ),
    (
      #"{"id":1,"method":"aria2.getVersion","params":{"a":1}}"#,
      #"{"id":1,"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params."}}"#, 500
    ),
    (
      "{",
      #"{"id":null,"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: a key is not a string (byte 1)."}}"#,
      500
    ),
    (
      "[]", #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#,
      400
    ),
    (
      "3", #"{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}"#, 400
    ),
    (
      #"[{"id":1,"method":"aria2.purgeDownloadResult"},{"id":2,"method":"x"},3]"#,
      #"[{"id":1,"jsonrpc":"2.0","result":"OK"},{"id":2,"jsonrpc":"2.0","error":{"code":1,"message":"No such method: x"}},{"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}]"#,
      200
    ),
  ]

  @Test("messages have their responses and statuses", arguments: messages)
  func responding(message: String, response: String, status: Int) throws {
    var fixture = try Fixture()
    let (text, reply) = fixture.send(message)
    #expect(text == response)
    #expect(reply.httpStatus == status && !reply.wasRefused)
  }

  static let tokens: [(String, String, Bool)] = [
    ("aria2.getSessionInfo", "[]", false),
    ("aria2.getSessionInfo", #"["token:wrong"]"#, false),
    ("aria2.getSessionInfo", #"["token:"]"#, false),
    ("aria2.getSessionInfo", #"["s3cret"]"#, false),
    ("aria2.getSessionInfo", #"[["token:s3cret"]]"#, false),
    ("aria2.getSessionInfo", #"["token:s3cret"]"#, true),
    // A method that does not exist is not told apart from others.
    ("aria2.nothing", "[]", false),
  ]

  @Test("a method needs the secret", arguments: tokens)
  func secret(method: String, parameters: String, isAuthorised: Bool) throws {
    var fixture = try Fixture()
    let (text, reply) = fixture.send(Self.call(method, parameters), Self.guarded)
    #expect(reply.wasRefused == !isAuthorised && reply.wasAuthorised == isAuthorised)
    let refusal = #"{"id":"q","jsonrpc":"2.0","error":{"code":1,"message":"Unauthorized"}}"#
    #expect((text == refusal) == !isAuthorised)
    #expect(reply.httpStatus == (isAuthorised ? 200 : 400))
  }

  @Test("every method but the lists of names needs the secret")
  func openMethods() throws {
    var fixture = try Fixture()
    for name in Method.names where name != Method.multicall {
      let (_, reply) = fixture.send(Self.call(name, "[]"), Self.guarded)
      let isOpen = name.hasPrefix("system.list")
      #expect(reply.wasRefused == !isOpen, "\(name)")
      #expect(!reply.wasAuthorised)
    }
    #expect(fixture.actions() == [], "nothing was changed")
  }

  @Test("a multicall has a list around each result, and the token in each call")
  func multicall() throws {
    var fixture = try Fixture()
    let calls = """
      [[{"methodName":"aria2.purgeDownloadResult","params":["token:s3cret"]},\
      {"methodName":"aria2.purgeDownloadResult","params":[]},\
      {"methodName":"system.listNotifications"},\
      {"methodName":"system.multicall","params":[[]]},{"params":[]},7,\
      {"methodName":"aria2.tellStatus","params":["token:s3cret"]}]]
      """
    let (text, reply) = fixture.send(Self.call("system.multicall", calls), Self.guarded)
    #expect(
      text == """
        {"id":"q","jsonrpc":"2.0","result":[["OK"],{"code":1,"message":"Unauthorized"},\
        [["aria2.onDownloadStart","aria2.onDownloadPause","aria2.onDownloadStop",\
        "aria2.onDownloadComplete","aria2.onDownloadError","aria2.onBtDownloadComplete"]],\
        {"code":1,"message":"Recursive system.multicall forbidden."},\
        {"code":1,"message":"Missing methodName."},\
        {"code":1,"message":"system.multicall expected struct."},\
        {"code":1,"message":"Unauthorized"}]}
        """)
    #expect(reply.wasRefused && reply.wasAuthorised)
  }

  @Test("all methods of aria2 that clients use exist")
  func methodNames() throws {
    var fixture = try Fixture()
    let names = Set(
      try JSONValue(parsing: Array(try fixture.call("system.listMethods").utf8), .strict).array?
        .compactMap(\.text) ?? [])
    for name in [
      "addUri", "addTorrent", "addMetalink", "remove", "forceRemove", "pause", "forcePause",
      "pauseAll",
      "forcePauseAll", "unpause", "unpauseAll", "tellStatus", "getUris", "getFiles", "getPeers",
      "getServers", "tellActive", "tellWaiting", "tellStopped", "changePosition", "changeUri",
      "getOption", "changeOption", "getGlobalOption", "changeGlobalOption", "getGlobalStat",
      "purgeDownloadResult", "removeDownloadResult", "getVersion", "getSessionInfo", "shutdown",
      "forceShutdown", "saveSession",
    ] {
      #expect(names.contains("aria2.\(name)"))
    }
    #expect(names.contains("system.multicall") && names.contains("system.listMethods"))
  }

  @Test("after a wrong secret, no further secret of the message is compared")
  func oneGuess() throws {
    let compared = Counter()
    let authority = RPCAuthority(isGranted: false) { text in
      compared.value.withLock { $0 += 1 }
      return text == "s3cret"
    }
    let call = { (token: String) in Self.call("aria2.purgeDownloadResult", #"["token:\#(token)"]"#)
    }
    var fixture = try Fixture()
    let batch = "[" + ["s3cret", "a", "s3cret", "b"].map(call).joined(separator: ",") + "]"
    let (text, reply) = fixture.send(batch, authority)
    #expect(reply.wasRefused && compared.value.withLock { $0 } == 2)
    #expect(text.components(of: "Unauthorized") == 3 && text.components(of: "OK") == 1)
  }

  @Test("a message has a limited number of calls, in whatever lists they are")
  func callLimit() throws {
    var fixture = try Fixture()
    let calls = Array(repeating: #"{"methodName":"x"}"#, count: 6_000).joined(separator: ",")
    let multicall = Self.call("system.multicall", "[[\(calls)]]")
    let (text, _) = fixture.send("[\(multicall),\(multicall)]")
    #expect(text.components(of: "No such method: x") == RPCMessage.countLimit)
    #expect(text.components(of: "A message has at most 10000 calls.") == 2_000)
  }

  @Test("a batch or a multicall of too many calls is refused as a whole, with the limit")
  func tooManyCalls() throws {
    var fixture = try Fixture()
    let count = RPCMessage.countLimit
    func batch(_ count: Int) -> String {
      "[" + Array(repeating: Self.call("x", "[]"), count: count).joined(separator: ",") + "]"
    }
    let (refused, reply) = fixture.send(batch(count + 1))
    #expect(
      refused == """
        {"id":null,"jsonrpc":"2.0","error":{"code":-32600,\
        "message":"Invalid Request. A message has at most 10000 calls."}}
        """)
    #expect(reply.httpStatus == 400)
    #expect(fixture.send(batch(count)).0.components(of: "No such method: x") == count)
    let calls = Array(repeating: #"{"methodName":"x"}"#, count: count + 1).joined(separator: ",")
    #expect(
      fixture.send(Self.call("system.multicall", "[[\(calls)]]")).0 == """
        {"id":"q","jsonrpc":"2.0","error":{"code":1,"message":"A message has at most 10000 calls."}}
        """)
  }

  @Test("an empty batch is refused, and a batch of one is answered by a list of one")
  func shortBatches() throws {
    var fixture = try Fixture()
    #expect(
      fixture.send("[]").0 == """
        {"id":null,"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request."}}
        """)
    let call = Self.call("aria2.purgeDownloadResult", "[]")
    #expect(fixture.send("[\(call)]").0 == #"[{"id":"q","jsonrpc":"2.0","result":"OK"}]"#)
  }

  @Test("the results of a message are limited, for a client without the secret more so")
  func sizeLimit() throws {
    let calls = Array(repeating: #"{"methodName":"system.listMethods"}"#, count: 3_000)
    let multicall = Self.call("system.multicall", "[[\(calls.joined(separator: ","))]]")
    var fixture = try Fixture()
    let (refused, _) = fixture.send(multicall, Self.guarded)
    let message = "The results of a message are longer than 1 MiB; ask for less at a time."
    let error = #"{"id":null,"jsonrpc":"2.0","error":{"code":1,"message":"\#(message)"}}"#
    #expect(refused == error)
    // Errors and ids count as well.
    let id = String(repeating: "i", count: 1_000)
    let call = #"{"id":"\#(id)","method":"aria2.saveSession"}"#
    let batch = "[" + Array(repeating: call, count: 1_000).joined(separator: ",") + "]"
    let (errors, reply) = fixture.send(batch, Self.guarded)
    #expect(errors == error && reply.httpStatus == 400 && reply.wasRefused)
    let (granted, _) = fixture.send(multicall)
    #expect(granted.utf8.count > 2 * CallDispatch.openSizeLimit)
    #expect(!granted.contains(CallDispatch.tooLong(CallDispatch.sizeLimit).message))
  }
}

/// A number that a closure counts.
private final class Counter: Sendable {
  let value = Mutex(0)
}

extension String {
  /// The number of occurrences of a text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
