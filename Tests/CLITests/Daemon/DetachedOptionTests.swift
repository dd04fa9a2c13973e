import HTTP1
import Models
import Origin
import SystemCalls
import Testing

/// The options of commands while imgdld downloads.
@Suite struct DetachedOptionTests {
  /// A server that gives a picture to requests with the fields and the cookie only, and lists to all.
  private func server() throws -> ScriptedServer {
    let body = Sample.image(1)
    return try ScriptedServer { _, _, request in
      let fields = request.head?.fields
      guard fields?["X-Key"] == "open", fields?["Cookie"] == "session=crumbs",
        fields?["Referer"] == "http://me.example/"
      else { return [.sendString("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")] }
      return [
        .sendString(
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\r\n"),
        .send(body),
      ]
    }
  }

  private static let travelling = [
    "-H", "X-Key: open", "--referer", "http://me.example/", "-A", "flagged", "--retry", "0",
    "--retry-delay", "1s", "--connect-timeout", "9s", "--idle-timeout", "9s", "--max-time", "9s",
    "--speed-limit", "1", "--speed-time", "9s", "--load-cookies",
  ]

  @Test("Options of add, retry, reload, refresh and fetch reach the server through imgdld")
  func travelling() async throws {
    try await Rig.runWithDaemon { rig in
      let server = try server()
      let jar = try rig.write("jar.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tcrumbs\n")
      let list = try rig.write("list.txt", server.url + "1.png\n")
      let add = try await rig.imgdl("add", "--detach", "--retry", "0", list)
      #expect(add.code == 0, "\(add.errors)")
      let options = Self.travelling + [jar]
      let url = server.url + "1.png"
      for words in [
        ["retry", "1"], ["reload", "1"], ["fetch", "--reload", url], ["add", "--again", list],
      ] {
        let ending = try await rig.imgdl(words + options)
        #expect(ending.code == 0, "\(words): \(ending.errors)")
        #expect(server.requests.last?.head?.fields["User-Agent"] == "flagged", "\(words)")
      }
      try rig.write("list.txt", url + "\n" + server.url + "2.png\n")
      let refresh = try await rig.imgdl(["refresh", "1"] + options)
      #expect(refresh.code == 0, "\(refresh.errors)")
      #expect(server.requests.last?.head?.target == "/2.png")
      // Another source gets none of it.
      let other = try rig.write("other.txt", server.url + "3.png\n")
      _ = try await rig.imgdl("add", "--retry", "0", other)
      #expect(server.requests.last?.head?.fields["X-Key"] == nil)
    }
  }

  @Test("Options of all downloads are refused by name while imgdld runs")
  func refused() async throws {
    try await Rig.runWithDaemon { rig in
      let list = try rig.write("list.txt", try rig.serveImages("a", 1).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", "--detach", list).code == 0)
      let file = try rig.write("some.pem", "")
      for option in [
        ["--limit-rate", "500k"], ["--max-concurrent-downloads", "3"], ["--max-per-host", "3"],
        ["--insecure"], ["--ipv4"], ["--ipv6"], ["--no-thumbnails"], ["--cacert", file],
        ["--cert", file], ["--key", file], ["--proxy", "http://127.0.0.1:9"],
        ["--no-proxy", "a.example"], ["--set", "limits.pdfPages=3"],
      ] {
        let ending = try await rig.imgdl(["retry"] + option)
        #expect(ending.code != 0, "\(option)")
        #expect(ending.errors.contains(option[0] + " "), "\(option): \(ending.errors)")
      }
      for words in [["add", "--again", list], ["reload", "1"], ["refresh", "1"], ["more", "1"]] {
        let ending = try await rig.imgdl(words + ["--limit-rate", "500k"])
        #expect(ending.code != 0 && ending.errors.contains("--limit-rate"), "\(words)")
      }
      #expect(try await rig.imgdl("add", "--again", "--limit-rate", "0", list).code == 0)
    }
  }

  @Test("imgdld that add --detach starts has none of the fields of that add for other sources")
  func leak() async throws {
    try await Rig.runWithDaemon { rig in
      let server = try server()
      let first = try rig.write("first.txt", server.url + "1.png\n")
      let started = try await rig.imgdl(
        "add", "--detach", "--retry", "0", "-H", "Authorization: Bearer s", first)
      #expect(started.code == 0, "\(started.errors)")
      let second = try rig.write("second.txt", server.url + "2.png\n")
      _ = try await rig.imgdl("add", "--retry", "0", second)
      let own = server.requests.filter { $0.head?.target == "/2.png" }
      #expect(own.map { $0.head?.fields["Authorization"] } == [nil])
    }
  }
}
