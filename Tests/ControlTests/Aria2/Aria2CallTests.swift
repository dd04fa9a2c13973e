import LibraryAPI
import Models
import ProgressTree
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// Calls over HTTP.
@Suite(.timeLimit(.minutes(60))) struct Aria2CallTests {
  private static let version =
    #"{"id":1,"jsonrpc":"2.0","result":{"sessionId":"#

  private static func body(_ token: String = "token:s3cret") -> String {
    #"{"id":1,"method":"aria2.getSessionInfo","params":["\#(token)"]}"#
  }

  @Test("a call with the secret is answered, by a token or a Bearer field")
  func secret() async throws {
    try await withAria2Stage { (stage) async throws in
      let answer = try #require(try await stage.ask(Self.body()))
      #expect(answer.status == 200 && answer.text.hasPrefix(Self.version))
      #expect(answer.fields["Content-Type"] == "application/json-rpc")
      #expect(answer.fields["Access-Control-Allow-Origin"] == nil)
      let bearer = try await stage.ask(
        Self.body("x"), fields: ["Authorization: Bearer \(Aria2Stage.secret)"])
      #expect(bearer?.status == 200)
    }
  }

  @Test("a wrong secret is answered after a second, which no test waits for")
  func delay() async throws {
    try await withAria2Stage { (stage) async throws in
      async let answer = stage.ask(Self.body("token:wrong"))
      try await stage.clock.untilSomeoneSleeps(for: Aria2RefusalDelays.seconds)
      stage.clock.advance(by: Aria2RefusalDelays.seconds)
      let refusal = try #require(try await answer)
      #expect(refusal.status == 400)
      #expect(
        refusal.text == #"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"Unauthorized"}}"#)
      #expect(refusal.fields["Connection"] == "close")
      #expect(stage.events.value == [.refused])
    }
  }

  @Test("errors have aria2's statuses, and batches are answered in order")
  func statuses() async throws {
    try await withAria2Stage(secret: nil) { (stage) async throws in
      #expect(try await stage.ask("{")?.status == 500)
      #expect(try await stage.ask("{}")?.status == 400)
      #expect(try await stage.ask(#"{"id":1,"method":"no"}"#)?.status == 400)
      let batch = try await stage.ask(
        #"[{"id":1,"method":"aria2.purgeDownloadResult"},{"id":2,"method":"no"}]"#)
      #expect(batch?.status == 200)
      #expect(
        batch?.text
          == #"[{"id":1,"jsonrpc":"2.0","result":"OK"},{"id":2,"jsonrpc":"2.0","error":{"code":1,"message":"No such method: no"}}]"#
      )
      let multicall = try await stage.ask(
        #"{"id":1,"method":"system.multicall","params":[[{"methodName":"aria2.purgeDownloadResult"},{"methodName":"no"}]]}"#
      )
      #expect(
        multicall?.text
          == #"{"id":1,"jsonrpc":"2.0","result":[["OK"],{"code":1,"message":"No such method: no"}]}"#
      )
    }
  }

  @Test("a connection serves several calls")
  func keepAlive() async throws {
    try await withAria2Stage { (stage) async throws in
      let connection = try await stage.connect()
      for _ in 0..<3 {
        await connection.send(
          requestText("POST", "/jsonrpc", body: Self.body())
            .replacing("Host: localhost", with: "Host: localhost:\(stage.port)"))
        #expect(await connection.answer()?.status == 200)
      }
      await connection.close()
    }
  }

  /// The statuses of calls from web pages and of other media types, with and without a secret.
  static let requests: [([String], with: Int, without: Int)] = [
    ([], 200, 200),
    (["Content-Type: application/json-rpc"], 200, 200),
    (["Content-Type: application/json; charset=utf-8"], 200, 200),
    (["Content-Type: text/plain"], 200, 415),
    (["Content-Type: application/x-www-form-urlencoded"], 200, 415),
    (["Origin: http://evil.example"], 403, 403),
    (["Origin: null"], 403, 403),
    (["Origin: http://localhost:1"], 403, 403),
    // A page of this server is not foreign, but without a secret no page may call.
    (["Origin: http://localhost:PORT"], 200, 403),
    (["Sec-Fetch-Site: cross-site"], 403, 403),
    (["Sec-Fetch-Site: same-site"], 403, 403),
    (["Sec-Fetch-Site: same-origin"], 200, 403),
    (["Sec-Fetch-Site: none"], 200, 403),
    (["Referer: http://evil.example/"], 200, 403),
    (["Cookie: imgdl-session=x"], 200, 403),
    (["Origin: http://aria.example"], 200, 403),
    (["Origin: http://aria.example", "Sec-Fetch-Site: cross-site"], 200, 403),
    (["Origin: http://aria.example", "Origin: http://evil.example"], 403, 403),
    (["Origin: http://ARIA.example"], 403, 403),
    (["Origin: http://aria.example.evil.example"], 403, 403),
  ]

  @Test("web pages are refused, except those that the user has allowed", arguments: requests)
  func pages(fields: [String], with: Int, without: Int) async throws {
    for (secret, status) in [(Aria2Stage.secret as String?, with), (nil, without)] {
      let origins = secret == nil ? [] : ["http://aria.example"]
      try await withAria2Stage(secret: secret, allowing: origins) { (stage) in
        let fields = fields.map { $0.replacing("PORT", with: "\(stage.port)") }
        let answer = try await stage.ask(Self.body(), fields: fields)
        #expect(answer?.status == status, "\(secret ?? "no secret")")
        let isAllowed = fields.contains("Origin: http://aria.example") && status == 200
        #expect(
          answer?.fields["Access-Control-Allow-Origin"] == (isAllowed ? "http://aria.example" : nil)
        )
      }
    }
  }

  @Test("The origin of a refused page is reported once, and a program without one never")
  func refusedOrigins() async throws {
    try await withAria2Stage(allowing: ["http://aria.example"]) { (stage) async throws in
      for origin in ["http://a.example", "http://b.example", "http://a.example", "null"] {
        for method in ["OPTIONS", "POST"] {
          let body = method == "POST" ? Self.body() : nil
          let answer = try await stage.ask(body, method: method, fields: ["Origin: \(origin)"])
          #expect(answer?.status == 403)
        }
      }
      _ = try await stage.ask(Self.body(), fields: ["Origin: http://aria.example"])
      _ = try await stage.ask(Self.body(), fields: ["Sec-Fetch-Site: cross-site"])
      #expect(
        stage.events.value == [
          .refusedOrigin("http://a.example"), .refusedOrigin("http://b.example"),
          .refusedOrigin("null"),
        ])
    }
  }

  @Test("The number and the length of the reported origins are limited")
  func manyOrigins() {
    var origins = Aria2RefusedOrigins()
    let isLongOneReported = origins.insert(String(repeating: "a", count: 301))
    #expect(!isLongOneReported)
    let reported = (0..<100).count { origins.insert("http://h\($0)") }
    #expect(reported == Aria2RefusedOrigins.limit)
  }

  @Test("An allowed page on a public address may call a server of this machine")
  func privateNetwork() async throws {
    try await withAria2Stage(allowing: ["https://aria.example"]) { (stage) async throws in
      let fields = [
        "Access-Control-Request-Method: POST", "Access-Control-Request-Private-Network: true",
      ]
      let name = "Access-Control-Allow-Private-Network"
      let allowed = try await stage.ask(
        nil, method: "OPTIONS", fields: fields + ["Origin: https://aria.example"])
      #expect(allowed?.fields[name] == "true")
      let other = try await stage.ask(
        nil, method: "OPTIONS", fields: fields + ["Origin: https://evil.example"])
      #expect(other?.fields[name] == nil)
    }
  }

  @Test("a browser may ask before a call of an allowed page, and of no other")
  func preflight() async throws {
    try await withAria2Stage(allowing: ["null"]) { (stage) async throws in
      let fields = [
        "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type",
      ]
      let allowed = try await stage.ask(nil, method: "OPTIONS", fields: fields + ["Origin: null"])
      #expect(allowed?.status == 204)
      #expect(allowed?.fields["Access-Control-Allow-Origin"] == "null")
      #expect(allowed?.fields["Access-Control-Allow-Headers"] == "Authorization, Content-Type")
      let other = try await stage.ask(
        nil, method: "OPTIONS", fields: fields + ["Origin: http://evil.example"])
      #expect(other?.status == 403 && other?.fields["Access-Control-Allow-Origin"] == nil)
      #expect(try await stage.ask(nil, method: "OPTIONS")?.status == 405)
    }
  }

  @Test("other hosts, methods and sizes are refused")
  func others() async throws {
    try await withAria2Stage(bodyBytes: 1_000) { (stage) async throws in
      let misdirected = try await stage.ask(Self.body(), host: "evil.example:\(stage.port)")
      #expect(
        misdirected?.status == 421
          && misdirected?.text.contains("127.0.0.1:\(stage.port)/jsonrpc") == true)
      #expect(misdirected?.text.contains("imgdl-cli web") == false)
      #expect(try await stage.ask(Self.body(), host: "localhost:1")?.status == 421)
      #expect(try await stage.ask(Self.body(), method: "PUT")?.status == 405)
      #expect(try await stage.ask(Self.body(), method: "DELETE")?.status == 405)
      #expect(try await stage.ask(nil, method: "GET")?.status == 426)
      #expect(
        try await stage.ask(nil, method: "GET", path: "/jsonrpc?method=aria2.shutdown&id=1")?.status
          == 426)
      let long = try await stage.ask(String(repeating: " ", count: 1_001))
      #expect(long?.status == 413)
      // More than the sockets hold: the client reads the response after it has sent the body.
      let longer = try await stage.ask(String(repeating: " ", count: 20 << 20))
      #expect(longer?.status == 413)
      #expect(try await stage.ask(Self.body(), path: "/jsonrpc/")?.status != 200)
      #expect(try await stage.ask(Self.body(), path: "/rpc")?.status != 200)
    }
  }

  @Test("the interface is not at the library's socket, and the API's rules are as they were")
  func otherListener() async throws {
    try await withStage { (stage) async throws in
      #expect(try await stage.ask("POST", "/jsonrpc", body: "{}")?.status == 404)
    }
    try await withAria2Stage { (stage) async throws in
      let answer = try await stage.ask(
        nil, method: "GET", path: "/v1/status",
        fields: ["Authorization: Bearer \(Aria2Stage.secret)"])
      #expect(answer?.status == 401, "the secret is no token of the API")
    }
  }

  @Test("downloads are started, stopped and discarded in the library")
  func downloads() async throws {
    try await withAria2Stage { (stage) async throws in
      let gid = #""0000000000000001""#
      _ = try await stage.call(
        "addUri",
        #"["http://a.example/f.jpg"],{"gid":\#(gid),"dir":"new","max-download-limit":"5K"}"#)
      try await stage.downloads.calls.until { $0.count == 2 }
      _ = try await stage.call("pause", gid)
      try await stage.downloads.calls.until { $0.count == 3 }
      _ = try await stage.call("unpause", gid)
      try await stage.downloads.calls.until { $0.count == 4 }
      _ = try await stage.call("changeGlobalOption", #"{"max-overall-download-limit":"9"}"#)
      _ = try await stage.call("remove", gid)
      try await stage.downloads.calls.until { $0.count == 6 }
      let id = ResourceID(1)
      #expect(
        stage.downloads.calls.value == [
          .add([SingleDownload(url: "http://a.example/f.jpg")], "new"), .start([id: 5_120]),
          .stop([id], discards: false), .start([id: 5_120]), .limit(9), .stop([id], discards: true),
        ])
    }
  }

  @Test("a client names a copy of the session in the library, which replaces no other file")
  func sessionCopy() async throws {
    try await withAria2Stage { (stage) async throws in
      let (copy, photo) = (stage.root + "/mine.session", stage.root + "/notes.txt")
      try FileSystem.replace(photo, with: "mine", syncing: false)
      _ = try await stage.call(
        "addUri", #"["http://a.example/f"],{"gid":"0000000000000001","pause":"true"}"#)
      for path in [copy, copy, photo] {
        _ = try await stage.call("changeGlobalOption", #"{"save-session":"\#(path)"}"#)
        _ = try await stage.call("saveSession")
      }
      let text = String(decoding: try FileSystem.contents(of: copy), as: UTF8.self)
      let session = String(
        decoding: try FileSystem.contents(of: stage.sessionPath), as: UTF8.self)
      #expect(text.hasPrefix("# ") && text.hasSuffix("\n" + session), "\(text)")
      #expect(session.hasPrefix("http://a.example/f\n"))
      #expect(try FileSystem.status(copy).mode & 0o777 == 0o600)
      #expect(String(decoding: try FileSystem.contents(of: photo), as: UTF8.self) == "mine")
      #expect(
        stage.events.value.contains {
          if case .problem(let text) = $0 { text.contains(photo) } else { false }
        })
    }
  }

  @Test("the session is saved for the user alone, and continued by the next server")
  func session() async throws {
    let folder = try TemporaryFolder()
    try await withAria2Stage(in: folder) { (stage) async throws in
      _ = try await stage.call("addUri", #"["http://a.example/f"],{"gid":"0000000000000001"}"#)
      _ = try await stage.call(
        "addUri", #"["http://a.example/g"],{"gid":"0000000000000002","pause":"true"}"#)
      try await stage.downloads.calls.until { $0.count == 2 }
      // A path outside of the library is ignored.
      _ = try await stage.call(
        "changeGlobalOption", #"{"save-session":"\#(folder.path)/other.txt"}"#)
      _ = try await stage.call("saveSession")
      #expect(!FileSystem.exists(folder.path + "/other.txt"))
      #expect(try FileSystem.status(stage.sessionPath).mode & 0o777 == 0o600)
      let text = String(decoding: try FileSystem.contents(of: stage.sessionPath), as: UTF8.self)
      #expect(
        text == """
          http://a.example/f
          # imgdl-resource 1
           gid=0000000000000001
          http://a.example/g
           gid=0000000000000002
           pause=true

          """)
    }
    try await withAria2Stage(in: folder, inputText: "http://a.example/h\n") {
      (stage) async throws in
      try await stage.downloads.calls.until { $0.count == 3 }
      let calls = stage.downloads.calls.value
      #expect(calls.first == .start([ResourceID(1): 0]), "the resource of the earlier run")
      #expect(calls.contains(.add([SingleDownload(url: "http://a.example/h")], "aria2")))
      #expect(try await stage.call("tellWaiting", #"0,9,["gid"]"#).contains("0000000000000002"))
    }
  }

  @Test("a client reads the number of connections that the engine reports")
  func connections() async throws {
    try await withAria2Stage { (stage) async throws in
      let gid = #""0000000000000001""#
      _ = try await stage.call("addUri", #"["http://a.example/f"],{"gid":\#(gid)}"#)
      try await stage.downloads.calls.until { $0.contains(.start([ResourceID(1): 0])) }
      for (count, text) in [(8, "8"), (nil, "1")] {
        await stage.library.change {
          $0.progress.active = [
            ActiveResource(
              id: ResourceID(1), record: RecordID(1), label: "f",
              activity: .downloading(received: 5, expected: 10), connections: count)
          ]
        }
        for (method, parameters) in [("tellStatus", "\(gid),"), ("tellActive", "")] {
          let answer = try await stage.call(method, parameters + #"["connections"]"#)
          #expect(answer.contains(#"{"connections":"\#(text)"}"#))
        }
      }
    }
  }

  @Test("a change is saved within a second, and transfers are started again")
  func tick() async throws {
    try await withAria2Stage { (stage) async throws in
      _ = try await stage.call("addUri", #"["http://a.example/f"],{"gid":"0000000000000001"}"#)
      try await stage.downloads.calls.until { $0.count == 2 }
      try await stage.clock.untilSomeoneSleeps(for: Aria2Service.tickSeconds)
      stage.clock.advance(by: Aria2Service.tickSeconds)
      try await stage.downloads.calls.until { $0.count == 3 }
      #expect(stage.downloads.calls.value.last == .start([ResourceID(1): 0]))
      try await stage.clock.untilSomeoneSleeps(for: Aria2Service.tickSeconds)
      let text = String(decoding: try FileSystem.contents(of: stage.sessionPath), as: UTF8.self)
      #expect(text.contains("gid=0000000000000001"))
    }
  }

  @Test("a call for the end of the program is reported")
  func shutdown() async throws {
    try await withAria2Stage { (stage) async throws in
      #expect(try await stage.call("shutdown").contains(#""result":"OK""#))
      #expect(stage.events.value == [.shutDownRequested])
    }
  }

  @Test(
    "a failure that does not concern the download ends no download, and is reported once",
    arguments: [LibraryError.Code.interrupted, .diskFull, .io, .store, .locked, .internalError])
  func retriedStart(code: LibraryError.Code) async throws {
    try await withAria2Stage { (stage) async throws in
      stage.downloads.failures.update { $0 = Array(repeating: LibraryError(code, "no"), count: 3) }
      _ = try await stage.call("addUri", #"["http://a.example/1"],{"gid":"0000000000000001"}"#)
      _ = try await stage.call("addUri", #"["http://a.example/2"],{"gid":"0000000000000002"}"#)
      try await stage.downloads.calls.until { $0.count == 2 }
      // The first tick fails as well, the second one starts both downloads.
      for count in [1, 2] {
        try await stage.clock.untilSomeoneSleeps(for: Aria2Service.tickSeconds)
        #expect(try await stage.call("tellActive", #"["gid"]"#).contains("0000000000000002"))
        stage.clock.advance(by: Aria2Service.tickSeconds)
        if count == 1 { try await stage.downloads.calls.until { $0.count >= 4 } }
      }
      try await stage.downloads.calls.until {
        $0.contains(.start([ResourceID(1): 0])) && $0.contains(.start([ResourceID(2): 0]))
      }
      #expect(try await stage.call("tellStopped", "0,9").contains(#""result":[]"#))
      #expect(stage.events.value == [.problem("no")])
    }
  }

  @Test("a failure that concerns the download ends it")
  func finalStart() async throws {
    try await withAria2Stage { (stage) async throws in
      stage.downloads.failures.update { $0 = [LibraryError(.policy, "no")] }
      _ = try await stage.call("addUri", #"["http://a.example/1"],{"gid":"0000000000000001"}"#)
      _ = try await stage.call("addUri", #"["http://a.example/2"],{"gid":"0000000000000002"}"#)
      try await stage.downloads.calls.until { $0.contains(.start([ResourceID(1): 0])) }
      let stopped = try await stage.call("tellStopped", #"0,9,["gid","errorMessage"]"#)
      #expect(
        stopped.contains(#""result":[{"errorMessage":"no","gid":"0000000000000001"}]"#))
    }
  }
}
