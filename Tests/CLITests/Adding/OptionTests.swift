import HTTP1
import Models
import Origin
import SystemCalls
import Testing

/// `--referer`, `--user`, `--name`, `--force`, and what is said of mistakes.
@Suite struct OptionTests {
  private func server(redirectingTo other: String? = nil) throws -> ScriptedServer {
    let body = Sample.image(1)
    return try ScriptedServer { _, _, _ in
      if let other {
        return [
          .sendString("HTTP/1.1 302 Found\r\nLocation: \(other)\r\nContent-Length: 0\r\n\r\n")
        ]
      }
      return [
        .sendString(
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\r\n"),
        .send(body),
      ]
    }
  }

  @Test("--referer is sent with every request, in addition to other fields")
  func referer() async throws {
    try await Rig.run { rig in
      let server = try server()
      let ending = try await rig.imgdl(
        "add", "--referer", "https://Example.org/page#top", "-H", "X-Key: a", server.url + "a.png")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(
        server.requests.allSatisfy { $0.head?.fields["Referer"] == "https://example.org/page" })
      #expect(server.requests.allSatisfy { $0.head?.fields["X-Key"] == "a" })
      for bad in ["page", "https://me:word@host/", "https://host/\u{1}"] {
        let refused = try await rig.imgdl("add", "--referer", bad, server.url)
        #expect(refused.code == 2 && refused.errors.contains("--referer"), "\(refused.errors)")
      }
    }
  }

  @Test(
    "--user is sent to the named host and to no other host", arguments: ["socket", "url-session"])
  func user(_ transport: String) async throws {
    try await Rig.run { rig in
      let server = try server()
      let ending = try await rig.imgdl(
        "add", "--user", "me:hunter2", "--set", "adapters.transport=\(transport)",
        server.url + "a.png")
      #expect(ending.code == 0, "\(ending.errors)")
      // me:hunter2
      #expect(
        server.requests.allSatisfy { $0.head?.fields["Authorization"] == "Basic bWU6aHVudGVyMg==" })
      // `localhost` is another host than `127.0.0.1`.
      let other = try self.server(
        redirectingTo: server.url.replacing("127.0.0.1", with: "localhost") + "b.png")
      let before = server.requests.count
      _ = try await rig.imgdl(
        "add", "--user", "me:hunter2", "--retry", "0", "--set", "adapters.transport=\(transport)",
        other.url + "a.png")
      #expect(other.requests.allSatisfy { $0.head?.fields["Authorization"] != nil })
      #expect(
        server.requests.dropFirst(before).allSatisfy { $0.head?.fields["Authorization"] == nil })
      let config = try await rig.imgdl(
        "config", "--set", "network.users=h: me:hunter2\nhttps://i:81: me:hunter2")
      #expect(config.output.contains("h: …") && config.output.contains("https://i:81: …"))
      #expect(!config.output.contains("hunter2"))
    }
  }

  @Test(
    "--user does not go to another port of the host that a list names, an entry of the settings does",
    arguments: ["socket", "url-session"])
  func userPorts(_ transport: String) async throws {
    try await Rig.run { rig in
      let other = try server()
      let picture = Sample.image(1)
      // Each list names pictures of its own.
      let own = try ScriptedServer { _, _, request in
        let name = request.head?.target.dropFirst() ?? ""
        let list = #"["\#(name).png", "\#(other.url)\#(name).png"]"#
        let body = name.hasSuffix(".list") ? Array(list.utf8) : picture
        return [
          .sendString("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body),
        ]
      }
      func fields(_ server: ScriptedServer) -> Set<String?> {
        Set(server.requests.map { $0.head?.fields["Authorization"] })
      }
      let common = ["add", "--retry", "0", "--set", "adapters.transport=\(transport)"]
      let ending = try await rig.imgdl(common + ["--user", "me:hunter2", own.url + "0.list"])
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(own.requests.count >= 2 && fields(own) == ["Basic bWU6aHVudGVyMg=="])
      #expect(!other.requests.isEmpty && fields(other) == [nil])
      for (name, key, isSent) in [
        ("1", "127.0.0.1", true), ("2", "127.0.0.1:\(own.port)", false),
      ] {
        let before = other.requests.count
        let ending = try await rig.imgdl(
          common + [
            "--set", "network.users=\(key): me:hunter2", own.url + name + ".list",
          ])
        #expect(ending.code == 0, "\(ending.errors)")
        let later = other.requests.dropFirst(before).map { $0.head?.fields["Authorization"] }
        #expect(Set(later) == [isSent ? "Basic bWU6aHVudGVyMg==" : nil], "\(key)")
      }
    }
  }

  @Test("The errors of --user name the missing value")
  func userMistakes() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", "http://127.0.0.1:9/a.png\n")
      for (words, cause) in [
        (["add", "--user", "a:b", list], "needs a URL"),
        (["retry", "--user", "a:b"], "needs a URL"),
        (["add", "--user", ":b", "http://127.0.0.1:9/"], "NAME"),
        (["add", "--user", "a", "http://127.0.0.1:9/"], "no terminal"),
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 2 && ending.errors.contains(cause), "\(ending.errors)")
      }
    }
  }

  @Test("--name sets file names by a template, which cannot contain a path")
  func names() async throws {
    try await Rig.run { rig in
      try rig.serve("a.png", Sample.image(1))
      try rig.serve("b.png", Sample.image(2))
      let list = try rig.write(
        "birds.json",
        Sample.json([["url": rig.url("a.png"), "title": "../Dawn/x"], ["url": rig.url("b.png")]]))
      let ending = try await rig.imgdl("add", "--name", "{index:04}-{record}-{title}", list)
      #expect(ending.code == 0, "\(ending.errors)")
      let files = try await rig.resources().compactMap(\.file)
      #expect(files.count == 2 && files.allSatisfy { $0.hasPrefix("birds/000") }, "\(files)")
      #expect(files[0].hasPrefix("birds/0001-birds-") && files[0].contains("Dawn"), "\(files)")
      #expect(files.allSatisfy { $0.split(separator: "/").count == 2 }, "\(files)")
      #expect(files[1] == "birds/0002-birds-b.png")
      for bad in ["{foo}", "{", "", "{title:3}"] {
        let refused = try await rig.imgdl("add", "--name", bad, list)
        #expect(
          refused.code == 2 && refused.errors.contains("--name '\(bad)'"), "\(refused.errors)")
      }
    }
  }

  @Test("export and contact-sheet do not overwrite files without --force")
  func force() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", rig.serveImages("a", 2).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      for words in [
        ["export", "1", "--format", "csv", "-o", "out.csv"],
        ["export", "1", "--format", "cbz", "-o", "out.cbz"],
        ["export", "1", "--format", "dir", "-o", "out"],
        ["contact-sheet", "1", "-o", "sheet.jpg"],
      ] {
        #expect(try await rig.imgdl(words).code == 0, "\(words)")
        let name = words[words.count - 1]
        let inode = try await rig.shell("stat -c '%i %Y' \(name)").output
        let again = try await rig.imgdl(words)
        #expect(again.code == 8 && again.errors.contains("--force"), "\(again.errors)")
        #expect(again.errors.contains(name))
        #expect(try await rig.shell("stat -c '%i %Y' \(name)").output == inode)
        #expect(try await rig.imgdl(words + ["--force"]).code == 0, "\(words)")
      }
    }
  }

  @Test("A list that is piped without - is explained, and options are found at any position")
  func hints() async throws {
    try await Rig.run { rig in
      let piped = try await rig.imgdl("add", input: "http://127.0.0.1:9/a.png\n")
      #expect(piped.code == 2 && piped.errors.contains("imgdl-cli add -"), "\(piped.errors)")
      for (words, hint) in [
        (["add", "--refer", "x", "y"], "did you mean '--referer'?"),
        (["add", "-retry", "3", "y"], "did you mean '--retry'?"),
        (["list", "--lazy"], "of list; add has it"),
        (["list", "--jsn"], "did you mean '--json'?"),
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 2 && ending.errors.contains(hint), "\(ending.errors)")
      }
    }
  }
}
