import HTTP1
import Models
import Origin
import SystemCalls
import Testing

/// The flags of the network, in every command that may download, and where the files they name are.
@Suite struct NetworkFlagTests {
  /// A server that gives the same picture to everybody, but only once it is `open`.
  private func server() throws -> ScriptedServer {
    let body = Sample.image(1)
    return try ScriptedServer { _, _, request in
      guard request.head?.fields["X-Key"] == "open" else {
        return [.sendString("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")]
      }
      return [
        .sendString(
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\r\n"),
        .send(body),
      ]
    }
  }

  private func lastFields(_ server: ScriptedServer) -> HTTPFields? {
    server.requests.last?.head?.fields
  }

  private static let flags = [
    "-H", "X-Key: open", "-A", "flagged", "--load-cookies", "jar.txt", "--retry", "0", "-4",
    "--limit-rate", "10M",
  ]
  private static let jar = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tcrumbs\n"

  private func expectFlags(_ server: ScriptedServer, _ command: String) {
    let fields = lastFields(server)
    #expect(fields?["User-Agent"] == "flagged", "\(command)")
    #expect(fields?["X-Key"] == "open", "\(command)")
    #expect(fields?["Cookie"] == "session=crumbs", "\(command)")
  }

  @Test("fetch, retry, reload, refresh and resume take the flags that add takes")
  func commands() async throws {
    try await Rig.run { rig in
      let server = try server()
      try rig.write("jar.txt", Self.jar)
      let url = server.url + "1.png"
      let list = try rig.write("list.txt", url + "\n")
      let failed = try await rig.imgdl("add", "--retry", "0", list)
      #expect(failed.code == 1, "\(failed.errors)")
      for words in [["retry"], ["reload", "1"], ["fetch", "--reload", url]] {
        let before = server.requests.count
        let ending = try await rig.imgdl(words + Self.flags)
        #expect(ending.code == 0, "\(words): \(ending.errors)")
        #expect(server.requests.count == before + 1, "\(words)")
        expectFlags(server, words[0])
      }
      try rig.write("list.txt", url + "\n" + server.url + "2.png\n")
      let refreshed = try await rig.imgdl(["refresh", "1"] + Self.flags)
      #expect(refreshed.code == 0, "\(refreshed.errors)")
      expectFlags(server, "refresh")
    }
  }

  @Test("downloads that failed without a proxy are retried through the proxy of retry")
  func proxy() async throws {
    try await Rig.run { rig in
      let proxy = try server()
      let list = try rig.write("list.txt", "http://pictures.invalid/1.png\n")
      let failed = try await rig.imgdl("add", "--retry", "0", list)
      #expect(failed.code == 1, "\(failed.errors)")
      let again = try await rig.imgdl(
        "retry", "--retry", "0", "--proxy", "http://127.0.0.1:\(proxy.port)", "-H", "X-Key: open")
      #expect(again.code == 0, "\(again.errors)")
      #expect(proxy.requests.map { $0.head?.target } == ["http://pictures.invalid/1.png"])
    }
  }

  @Test("where another process has the engine, a command refuses by name what one engine has")
  func elsewhere() async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 1) { first, stage in
        let url = stage.serve("a.png", Sample.image(1))
        for words in [["fetch", url], ["retry"], ["add", "--lazy", url]] {
          let ending = try await rig.imgdl(words + ["--limit-rate", "10M"])
          #expect(ending.code != 0 && ending.errors.contains("--limit-rate applies"), "\(words)")
        }
        stage.gate.open()
        await expect(first, endsWith: 0)
      }
    }
  }

  @Test(
    "every command that may download lists the flags in its help, the others have none",
    arguments: [
      "add", "fetch", "resume", "retry", "reload", "refresh", "more", "demo", "daemon start",
    ])
  func help(_ command: String) async throws {
    try await Rig.run { rig in
      let help = try await rig.imgdl(
        command.split(separator: " ").map(String.init) + ["--help"])
      #expect(help.code == 0)
      for flag in [
        "--cacert", "--cert", "--key", "--insecure", "--proxy", "--no-proxy", "--limit-rate",
        "--ipv4", "--ipv6", "--load-cookies", "--netrc", "--netrc-file", "--header", "--max-time",
        "--idle-timeout", "--speed-limit", "--speed-time",
      ] { #expect(help.output.contains(flag), "\(flag)") }
      let other = try await rig.imgdl("list", "--proxy", "http://127.0.0.1:1")
      #expect(
        other.code == 2 && other.errors.contains("unknown option '--proxy'"), "\(other.errors)")
    }
  }

  @Test("a file of a flag is found from where the command was given, also by an imgdld")
  func workingFolder() async throws {
    try await Rig.runWithDaemon { rig in
      let server = try server()
      try rig.write("jar.txt", Self.jar)
      let ending = try await rig.imgdl(
        "add", "--detach", "--set", "network.cookieFile=jar.txt", "-H", "X-Key: open",
        server.url + "1.png")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.untilDone().code == 0)
      #expect(lastFields(server)?["Cookie"] == "session=crumbs")
    }
  }
}
