import JSON
import Models
import Testing
@testable import Aria2

/// Metalink documents, which the performer reads before the machine performs the calls.
@Suite struct MetalinkTests {
  private static let checksum = Checksum(.sha512, hexadecimal: String(repeating: "0a", count: 64))

  private static func call(_ id: Int, _ document: String, _ method: String = "addMetalink")
    -> String
  {
    #"{"id":\#(id),"method":"aria2.\#(method)","params":["token:s","\#(document)"]}"#
  }

  private static func inner(_ document: String, token: String = "s") -> String {
    #"{"methodName":"aria2.addMetalink","params":["token:\#(token)","\#(document)"]}"#
  }

  private static func multicall(_ calls: [String]) -> String {
    #"{"id":1,"method":"system.multicall","params":[[\#(calls.joined(separator: ","))]]}"#
  }

  @Test("each file is a download with its name, its digest and its size")
  func adding() throws {
    var fixture = try Fixture()
    fixture.metalink = .files(
      [
        MetalinkFile(
          name: "a/f.iso", uris: ["http://a.example/f", "http://b.example/f"],
          checksum: Self.checksum),
        MetalinkFile(name: "..", uris: ["http://a.example/g"], byteCount: 12),
      ], problems: ["the file \"h\" has no URL with http or https"])
    let result = try fixture.call("aria2.addMetalink", #"["PGEvPg==",{"dir":"new"}]"#)
    #expect(try JSONValue(parsing: Array(result.utf8), .strict).array?.count == 2)
    let orders = fixture.orders()
    #expect(orders.map(\.fileName) == ["f.iso", nil] && orders.map(\.record) == ["new", "new"])
    #expect(orders.map(\.uri) == ["http://a.example/f", "http://a.example/g"])
    #expect(
      orders.map(\.checksum) == [Self.checksum, nil] && orders.map(\.byteCount) == [nil, 12])
    let gid = try #require(orders.last?.gid)
    #expect(try fixture.status("\(gid)", "totalLength") == #"{"totalLength":"12"}"#)
    // The size is kept over a restart.
    var next = try Fixture()
    #expect(fixture.machine.sessionText.contains("# imgdl-size 12\n"))
    _ = next.machine.load(InputFile(fixture.machine.sessionText, isSession: true))
    #expect(next.orders().map(\.byteCount) == [nil, 12])
  }

  @Test("the options of the call come before those of the document")
  func options() throws {
    var fixture = try Fixture()
    let file = MetalinkFile(name: "f", uris: ["http://a.example/f"], checksum: Self.checksum)
    fixture.metalink = .files([file], problems: [])
    let other = String(repeating: "0b", count: 32)
    _ = try fixture.call(
      "aria2.addMetalink", #"["PGEvPg==",{"out":"o","checksum":"sha-256=\#(other)"}]"#)
    let order = fixture.orders().first
    #expect(order?.fileName == "o" && order?.checksum == Checksum(.sha256, hexadecimal: other))
  }

  @Test("a document that cannot be used has an error with code 1 that names the cause")
  func failures() throws {
    var fixture = try Fixture()
    for (metalink, message) in [
      (Fixture.Metalink.failure("It is not XML."), "It is not XML."),
      (.files([], problems: []), "No files to download."),
      (.files([], problems: ["no URL"]), "No files to download: no URL"),
    ] {
      fixture.metalink = metalink
      let (text, reply) = fixture.send(Self.call(1, "PGEvPg=="))
      #expect(
        text == #"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"\#(message)"}}"#)
      #expect(reply.httpStatus == 400 && fixture.actions().isEmpty)
    }
  }

  static let messages: [(String, [String])] = [
    (call(1, "YQ=="), ["a"]),
    ("[\(call(1, "YQ==")),\(call(2, "Yg=="))]", ["a", "b"]),
    ("[\(call(1, "YQ==")),\(call(2, "YQ=="))]", ["a"]),
    (multicall([inner("YQ=="), inner("Yg==")]), ["a", "b"]),
    (multicall([inner("YQ=="), inner("Yg==", token: "x"), inner("Yw==")]), ["a"]),
    ("[\(call(1, "x", "unknown")),\(call(2, "YQ=="))]", ["a"]),
    ("[\(call(1, "YQ=="))", []),
    ("[5,{},\(call(1, "YQ=="))]", ["a"]),
    (call(1, "?"), []),
    (call(1, "YQ==", "addTorrent"), []),
    (multicall([multicall([inner("YQ==")])]), []),
    (#"{"id":1,"method":"aria2.addMetalink","params":["YQ=="]}"#, []),
    (#"{"id":1,"method":"aria2.addMetalink","params":["token:s",5]}"#, []),
    (#"{"id":1,"method":"aria2.addMetalink","params":{"a":1}}"#, []),
    (#"{"id":1,"method":"aria2.addMetalink"}"#, []),
    (#"[{"id":1,"method":"aria2.purgeDownloadResult"},\#(call(2, "YQ=="))]"#, []),
    (#"[{"id":1,"method":"system.listMethods"},\#(call(2, "YQ=="))]"#, ["a"]),
  ]

  @Test("the documents of the calls with the secret are found, in order", arguments: messages)
  func documents(text: String, expected: [String]) {
    let authority = RPCAuthority(isGranted: false) { $0 == "s" }
    let found = ClientMessage(Array(text.utf8)).metalinkDocuments(for: authority)
    #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
  }

  @Test("a call is refused exactly when its document was not read for want of the secret")
  func sameAuthority() throws {
    let guarded = RPCAuthority(isGranted: false) { $0 == "s" }
    for (text, _) in Self.messages {
      var fixture = try Fixture()
      fixture.metalink = .files([MetalinkFile(uris: ["http://a.example/f"])], problems: [])
      let response = fixture.send(text, guarded).text
      #expect(!response.contains("Metalink documents."), "no call lacks its document: \(text)")
    }
  }

  @Test("a message has a limited number of documents, and the others are refused")
  func limit() throws {
    let calls = (0...MetalinkDocument.limit).map {
      Self.call($0, Base64.encode(Array("\($0)".utf8)))
    }
    let text = "[" + calls.joined(separator: ",") + "]"
    let granted = RPCAuthority(isGranted: true)
    let found = ClientMessage(Array(text.utf8)).metalinkDocuments(for: granted)
    #expect(found.count == MetalinkDocument.limit)
    var fixture = try Fixture()
    fixture.metalink = .files([MetalinkFile(uris: ["http://a.example/f"])], problems: [])
    let (response, _) = fixture.send(text)
    let refusal = #""message":"A message has at most 100 Metalink documents.""#
    #expect(response.ranges(of: refusal).count == 1)
    #expect(fixture.machine.unfinishedCount == MetalinkDocument.limit)
  }
}
