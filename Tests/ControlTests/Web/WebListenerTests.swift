import Glibc
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// The web page of a running server, over TCP.
@Suite("The loopback listener")
struct WebListenerTests {
  private static let json = "Content-Type: application/json"

  /// Logs in and returns the field with the cookie.
  private func logIn(_ stage: WebStage, _ link: WebLinkMessage) async throws -> String {
    let host = String(link.url.dropFirst(7).dropLast())
    let answer = try #require(
      try await stage.ask(
        link.port, "POST", "/v1/login", host: host,
        body: "{\"token\":\"\(link.login.suffix(32))\"}", fields: ["Origin: http://\(host)"]))
    #expect(answer.status == 204)
    let cookie = try #require(answer.fields["Set-Cookie"])
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000"))
    return "Cookie: \(cookie.prefix { $0 != ";" })"
  }

  /// Enables the page of a server in a folder and logs in, and ends that server.
  private func loggedIn(
    in folder: TemporaryFolder, wallClock: any WallClock = SystemClock()
  ) async throws -> (link: WebLinkMessage, cookie: String) {
    try await withWebStage(in: folder, wallClock: wallClock) { (stage) async throws in
      let link = try await stage.open()
      return (link, try await logIn(stage, link))
    }
  }

  @Test("serves nothing until the page is enabled")
  func disabled() async throws {
    try await withWebStage { (stage) async throws in
      let client = try #require(await ControlClient.connect(libraryRoot: stage.root))
      #expect(try await client.webPage() == nil)
      #expect(stage.reported.isEmpty)
      #expect(!FileSystem.exists(stage.root + "/.imgdl/web.json"))
      await client.close()
    }
  }

  @Test("logs in once per link, and then serves the API")
  func login() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let cookie = try await logIn(stage, link)
      let status = try await stage.ask(link.port, "GET", "/v1/status", host: host, fields: [cookie])
      #expect(status?.status == 200)
      #expect(status?.fields["Referrer-Policy"] == "no-referrer")
      #expect(status?.fields["Cross-Origin-Opener-Policy"] == "same-origin")
      #expect(status?.fields["X-Content-Type-Options"] == "nosniff")
      #expect(
        status?.fields["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'")
      // The link again, after the delay of a wrong token.
      async let used = stage.ask(
        link.port, "POST", "/v1/login", host: host,
        body: "{\"token\":\"\(link.login.suffix(32))\"}", fields: ["Origin: http://\(host)"])
      try await stage.clock.untilSomeoneSleeps(for: WebAccess.wrongTokenSeconds)
      stage.clock.advance(by: WebAccess.wrongTokenSeconds)
      let again = try await used
      #expect(again?.status == 401)
      #expect(again?.fields["WWW-Authenticate"] == "Bearer")
      #expect(stage.reported == [.listening(url: "http://\(host)"), .loggedIn, .wrongToken])
    }
  }

  @Test("refuses a login by another page, at an address, or without the report of a browser")
  func foreignLogin() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let body = "{\"token\":\"\(link.login.suffix(32))\"}"
      for (name, fields, expected) in [
        (host, ["Origin: http://evil.test"], 403), (host, [], 403),
        (host, ["Origin: null"], 403), (host, ["Sec-Fetch-Site: cross-site"], 403),
        ("127.0.0.1:\(link.port)", ["Origin: http://127.0.0.1:\(link.port)"], 421),
        ("evil.test:\(link.port)", ["Origin: http://evil.test:\(link.port)"], 421),
      ] {
        let answer = try await stage.ask(
          link.port, "POST", "/v1/login", host: name, body: body, fields: fields)
        #expect(answer?.status == expected, "\(name) \(fields)")
      }
      // None of them has used the token.
      _ = try await logIn(stage, link)
    }
  }

  /// A page whose name an attacker lets point to 127.0.0.1, a form of another site, and a page on another
  /// port of 127.0.0.1: the requests that browsers send for them.
  @Test("refuses what a hostile page can send, although the browser has the cookie")
  func hostilePages() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let cookie = try await logIn(stage, link)
      let attacks: [(String, [String], Int)] = [
        ("rebound.evil.test:\(link.port)", ["Origin: http://rebound.evil.test:\(link.port)"], 421),
        ("rebound.evil.test:\(link.port)", ["Sec-Fetch-Site: same-origin", cookie], 421),
        (host, ["Origin: http://evil.test", "Sec-Fetch-Site: cross-site", cookie], 403),
        (host, ["Origin: null", cookie], 403),
        (host, ["Origin: http://127.0.0.1:8000", "Sec-Fetch-Site: cross-site", cookie], 403),
        (
          "127.0.0.1:\(link.port)",
          ["Origin: http://127.0.0.1:8000", "Sec-Fetch-Site: same-site", cookie], 403
        ),
        ("localhost:\(link.port)", ["Origin: http://localhost:\(link.port)", cookie], 401),
      ]
      for (name, fields, expected) in attacks {
        let answer = try await stage.ask(
          link.port, "POST", "/v1/pause", host: name, fields: fields)
        #expect(answer?.status == expected, "\(name) \(fields)")
      }
      #expect(await !stage.library.state.isPaused)
      // A form cannot have the media type of the API.
      let form = try await stage.ask(
        link.port, "POST", "/v1/login", host: host, body: "token=a",
        fields: ["Origin: http://\(host)", "Content-Type: text/plain"])
      #expect(form?.status == 415 || form?.status == 400)
    }
  }

  @Test("serves no call that reads a path of the server or changes the page")
  func socketOnly() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let client = try #require(await ControlClient.connect(libraryRoot: stage.root))
      let token = "Authorization: Bearer \(try await client.webToken())"
      await client.close()
      let host = "127.0.0.1:\(link.port)"
      for (method, path, body) in [
        ("GET", "/v1/web", nil), ("POST", "/v1/web", "{}"), ("DELETE", "/v1/web", nil),
        ("POST", "/v1/web/tokens", nil), ("POST", "/v1/sources", #"{"file":"/etc/passwd"}"#),
        ("POST", "/v1/sources", #"{"standardInput":"/etc/passwd"}"#),
      ] as [(String, String, String?)] {
        let answer = try await stage.ask(
          link.port, method, path, host: host, body: body, fields: [token])
        #expect(answer?.status == 403, "\(method) \(path)")
        #expect(answer?.code == "forbidden")
      }
      // Nor in a batch.
      let batch = try await stage.ask(
        link.port, "POST", "/v1/batch", host: host,
        body: #"{"calls":[{"method":"DELETE","path":"/v1/web"}]}"#, fields: [token])
      #expect(batch?.status == 200)
      #expect(batch?.text.contains("\"status\":403") == true)
    }
  }

  @Test("serves the files of the page to everyone who knows the host, and nothing else")
  func page() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let page = try #require(try await stage.ask(link.port, "GET", "/", host: host))
      #expect(page.status == 200)
      #expect(page.fields["Content-Type"] == "text/html; charset=utf-8")
      let policy = page.fields["Content-Security-Policy"] ?? ""
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      let script = try #require(page.text.firstMatch(of: /\/files\/[0-9a-f]{16}\/app\.js/))
      let file = try await stage.ask(link.port, "GET", String(script.output), host: host)
      #expect(file?.status == 200)
      #expect(file?.fields["Cache-Control"] == "public, max-age=31536000, immutable")
      let tag = try #require(page.fields["ETag"])
      let fresh = try await stage.ask(
        link.port, "GET", "/", host: host, fields: ["If-None-Match: \(tag)"])
      #expect(fresh?.status == 304)
      for (method, path, expected) in [
        ("GET", "/records/1", 200), ("GET", "/etc/passwd", 404), ("GET", "/files/0/app.js", 404),
        ("GET", "/files/%2e%2e/app.js", 400), ("POST", "/", 405), ("GET", "/v2", 404),
      ] {
        let answer = try await stage.ask(link.port, method, path, host: host)
        #expect(answer?.status == expected, "\(method) \(path)")
      }
      let elsewhere = try await stage.ask(link.port, "GET", "/", host: "evil.test:\(link.port)")
      #expect(elsewhere?.status == 421)
    }
  }

  static let hasIPv6 = (try? ControlListener.loopback(nil).listeners.count) == 2

  @Test("listens on both IP versions, and on no other address", .enabled(if: hasIPv6))
  func versions() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let answer = try await stage.ask(link.port, "GET", "/", host: host, overIPv6: true)
      #expect(answer?.status == 200)
    }
  }

  @Test("says that the port is taken, for either IP version")
  func takenPort() async throws {
    try await withWebStage { (stage) async throws in
      let other = try ControlListener.loopback(nil)
      let client = try #require(await ControlClient.connect(libraryRoot: stage.root))
      await #expect(
        throws: LibraryError(.locked, "another program uses port \(other.port)")
      ) { _ = try await client.openWebPage(port: other.port) }
      #expect(try await client.webPage() == nil)
      await client.close()
      withExtendedLifetime(other) {}
    }
  }

  @Test("keeps name, port and sessions when the server starts again, also after a crash")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let (link, cookie) = try await loggedIn(in: folder)
    let host = String(link.url.dropFirst(7).dropLast())
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(stage.reported == [.listening(url: "http://\(host)")])
      let answer = try await stage.ask(
        link.port, "GET", "/v1/status", host: host, fields: [cookie])
      #expect(answer?.status == 200)
    }
  }

  @Test("ends every session and closes every connection when the page is disabled")
  func closing() async throws {
    let folder = try TemporaryFolder()
    let (link, cookie) = try await withWebStage(in: folder) { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let cookie = try await logIn(stage, link)
      let client = try #require(await ControlClient.connect(libraryRoot: stage.root))
      try await client.closeWebPage()
      #expect(try await client.webPage() == nil)
      #expect(try await stage.ask(link.port, "GET", "/", host: host) == nil)
      // Enabled again, at the same port, the page has another name, and the old session is not valid.
      let again = try await client.openWebPage(port: nil)
      #expect(again.url != link.url && again.url.hasSuffix(".localhost:\(link.port)/"))
      for (name, expected) in [(host, 421), (String(again.url.dropFirst(7).dropLast()), 401)] {
        let answer = try await stage.ask(
          link.port, "GET", "/v1/status", host: name, fields: [cookie])
        #expect(answer?.status == expected)
      }
      try await client.closeWebPage()
      await client.close()
      return (link, cookie)
    }
    _ = (link, cookie)
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(stage.reported.isEmpty, "a disabled page stays disabled")
    }
  }

  @Test("starts without the page if its port is taken or its file is damaged, and reports it")
  func startsAnyway() async throws {
    let folder = try TemporaryFolder()
    let link = try await withWebStage(in: folder) { (stage) async throws in
      try await stage.open()
    }
    let other = try ControlListener.loopback(link.port)
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(
        stage.reported == [.failed(reason: "another program uses port \(link.port)")])
    }
    withExtendedLifetime(other) {}
    let file = folder.path + "/library/.imgdl/web.json"
    #expect(chmod(file, 0o644) == 0)
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(stage.reported.count == 1)
      // Opening the page replaces the file, with another name and key.
      let again = try await stage.open()
      #expect(again.url != link.url)
      #expect(try FileSystem.status(file).mode == 0o600)
    }
  }

  @Test("listens at a chosen port for one run, and does not start if that port is taken")
  func chosenPort() async throws {
    let folder = try TemporaryFolder()
    let port = WebStage.freePort()
    try await withWebStage(in: folder, port: port) { (stage) async throws in
      #expect(stage.reported.count == 1)
    }
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(stage.reported.isEmpty)
    }
    let other = try ControlListener.loopback(port)
    await #expect(throws: ControlError(.portInUse, "another program uses port \(port)")) {
      try await withWebStage(in: folder, port: port) { _ in }
    }
    withExtendedLifetime(other) {}
  }

  private struct Wall: WallClock {
    let seconds: Int64
    func unixSeconds() -> Int64 { seconds }
  }

  @Test("tells its name to no client that does not know it")
  func secretName() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let name = String(link.url.dropFirst(7).prefix(32))
      let address = "127.0.0.1:\(link.port)"
      for (method, path, host, body) in [
        ("GET", "/", "evil.test", nil), ("GET", "/v1/status", "evil.test", nil),
        ("GET", "/", address, nil), ("GET", "/v1/status", address, nil),
        ("POST", "/v1/pause", address, nil), ("GET", "/v1/web", address, nil),
        ("POST", "/v1/login", address, #"{"token":"a"}"#), ("GET", "/nothing", address, nil),
      ] as [(String, String, String, String?)] {
        let answer = try #require(
          try await stage.ask(
            link.port, method, path, host: host, body: body,
            fields: ["Sec-Fetch-Site: same-origin"]))
        #expect(!answer.text.contains(name), "\(method) \(path)")
        #expect(!"\(answer.fields)".contains(name), "\(method) \(path)")
      }
    }
  }

  @Test("refuses a request by its head, and keeps no body of it")
  func refusedBodies() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let host = String(link.url.dropFirst(7).dropLast())
      let large = String(repeating: "x", count: 3 << 20)
      let refused = try await stage.ask(
        link.port, "POST", "/v1/pause", host: "evil.test", body: large)
      #expect(refused?.status == 421)
      let unknown = try await stage.ask(
        link.port, "POST", "/v1/pause", host: host, body: large,
        fields: ["Origin: http://\(host)"])
      #expect(unknown?.status == 401)
      let login = try await stage.ask(
        link.port, "POST", "/v1/login", host: host,
        body: "{\"token\":\"\(String(repeating: "a", count: 5_000))\"}",
        fields: ["Origin: http://\(host)"])
      #expect(login?.status == 413)
    }
  }

  @Test("logs out, also a session that is due for renewal")
  func logout() async throws {
    let folder = try TemporaryFolder()
    let (link, cookie) = try await loggedIn(in: folder, wallClock: Wall(seconds: 1_000))
    let host = String(link.url.dropFirst(7).dropLast())
    let late = 1_000 + WebAccess.sessionSeconds / 2 + 1
    try await withWebStage(in: folder, wallClock: Wall(seconds: late)) { (stage) async throws in
      let answer = try #require(
        try await stage.ask(
          link.port, "POST", "/v1/logout", host: host,
          fields: [cookie, "Origin: http://\(host)"]))
      #expect(answer.status == 204)
      #expect(answer.fields.all("Set-Cookie").count == 1)
      #expect(answer.fields["Set-Cookie"]?.hasSuffix("Max-Age=0") == true)
    }
  }

  @Test("is disabled while no server runs, with every session")
  func disabledOffline() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path + "/library"
    let (link, cookie) = try await loggedIn(in: folder)
    #expect(try WebPageFile.disable(libraryRoot: root))
    #expect(try !WebPageFile.disable(libraryRoot: root))
    try await withWebStage(in: folder) { (stage) async throws in
      #expect(stage.reported.isEmpty)
      let again = try await stage.open(port: link.port)
      #expect(again.url != link.url)
      let host = String(again.url.dropFirst(7).dropLast())
      let answer = try await stage.ask(
        link.port, "GET", "/v1/status", host: host, fields: [cookie])
      #expect(answer?.status == 401)
    }
  }

  @Test("renews the cookie of a session after half its time, and refuses an expired one")
  func renewal() async throws {
    let folder = try TemporaryFolder()
    let (link, cookie) = try await loggedIn(in: folder, wallClock: Wall(seconds: 1_000))
    let host = String(link.url.dropFirst(7).dropLast())
    let half = WebAccess.sessionSeconds / 2
    for (age, expected, isRenewed) in [
      (half, 200, false), (half + 1, 200, true), (2 * half, 401, false),
    ] {
      try await withWebStage(in: folder, wallClock: Wall(seconds: 1_000 + age)) {
        (stage) async throws in
        let answer = try await stage.ask(
          link.port, "GET", "/v1/status", host: host, fields: [cookie])
        #expect(answer?.status == expected)
        #expect((answer?.fields["Set-Cookie"] != nil) == isRenewed)
      }
    }
  }
}
