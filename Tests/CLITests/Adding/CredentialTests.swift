import HTTP1
import Models
import Origin
import SystemCalls
import Testing

/// Proxies, cookies and passwords, from the command line to the wire.
@Suite struct CredentialTests {
  private static let cookies = """
    # Netscape HTTP Cookie File
    127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tcrumbs
    other.example\tFALSE\t/\tFALSE\t0\tother\thunter2

    """

  /// A server that gives the same picture to everybody.
  private func pictures() throws -> ScriptedServer {
    let body = Sample.image(1)
    return try ScriptedServer { _, _, _ in
      [
        .sendString(
          "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.count)\r\n\r\n"),
        .send(body),
      ]
    }
  }

  private func fields(_ server: ScriptedServer, _ name: String) -> Set<String?> {
    Set(server.requests.map { $0.head?.fields[name] })
  }

  @Test("cookies and passwords of files are sent to their host by both transports")
  func files() async throws {
    try await Rig.run { rig in
      let server = try pictures()
      let jar = try rig.write("jar.txt", Self.cookies)
      let netrc = try rig.write("netrc", "machine 127.0.0.1 login me password hunter2\n")
      _ = try await rig.shell("chmod 600 netrc")
      for (number, transport) in ["socket", "url-session"].enumerated() {
        let before = server.requests.count
        let ending = try await rig.imgdl(
          "add", "--load-cookies", jar, "--netrc-file", netrc, "--retry", "0", "--set",
          "adapters.transport=\(transport)", server.url + "\(number).png")
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(!ending.errors.contains("hunter2") && !ending.errors.contains("others"))
        let requests = server.requests.dropFirst(before)
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0.head?.fields["Cookie"] == "session=crumbs" })
        // me:hunter2
        #expect(
          requests.allSatisfy { $0.head?.fields["Authorization"] == "Basic bWU6aHVudGVyMg==" })
      }
    }
  }

  @Test("a byte order mark is no part of a netrc file, and a folder is none at all")
  func odd() async throws {
    try await Rig.run { rig in
      let server = try pictures()
      let netrc = try rig.write("netrc", "\u{feff}machine 127.0.0.1 login me password hunter2\n")
      let marked = try await rig.imgdl("add", "--netrc-file", netrc, server.url + "1.png")
      #expect(marked.code == 0, "\(marked.errors)")
      #expect(
        server.requests.contains { $0.head?.fields["Authorization"] == "Basic bWU6aHVudGVyMg==" })
      _ = try await rig.shell("mkdir -m 755 folder")
      let folder = try await rig.imgdl("add", "--netrc-file", "folder", server.url + "2.png")
      #expect(folder.code != 0)
      #expect(!folder.errors.contains("chmod"), "\(folder.errors)")
    }
  }

  @Test("--netrc is NETRC, else ~/.netrc; one that others can read is warned of each time")
  func netrc() async throws {
    try await Rig.run { rig in
      let server = try pictures()
      try rig.write("home/.netrc", "machine 127.0.0.1 login home password x\n")
      let other = try rig.write("elsewhere", "machine 127.0.0.1 login other password x\n")
      _ = try await rig.shell("chmod 644 home/.netrc elsewhere")
      for (environment, expected) in [([:], "home:x"), (["NETRC": other], "other:x")] {
        let before = server.requests.count
        let ending = try await rig.imgdl(
          ["add", "--again", "--netrc", "--retry", "0", server.url + "\(expected).png"],
          environment: environment)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.errors.contains("can be read by others"))
        let coded = ["home:x": "aG9tZTp4", "other:x": "b3RoZXI6eA=="][expected] ?? ""
        let requests = server.requests.dropFirst(before)
        #expect(!requests.isEmpty)
        #expect(requests.allSatisfy { $0.head?.fields["Authorization"] == "Basic \(coded)" })
      }
    }
  }

  @Test("a proxy is named by a flag or a variable, and shows its password nowhere")
  func proxy() async throws {
    try await Rig.run { rig in
      let proxy = try pictures()
      let url = "http://me:hunter2@127.0.0.1:\(proxy.port)"
      let allow = ["--set", "network.privateAddresses=allow", "--retry", "0"]
      let byFlag = try await rig.imgdl(
        ["add", "--proxy", url, "http://pictures.invalid/1.png"] + allow)
      #expect(byFlag.code == 0, "\(byFlag.errors)")
      let byHelper = try await rig.imgdl(
        [
          "add", "--proxy", url, "http://pictures.invalid/4.png", "--set",
          "adapters.transport=url-session",
        ] + allow)
      #expect(byHelper.code == 0, "\(byHelper.errors)")
      let byVariable = try await rig.imgdl(
        ["add", "http://pictures.invalid/2.png"] + allow, environment: ["http_proxy": url])
      #expect(byVariable.code == 0, "\(byVariable.errors)")
      let texts = proxy.requests.map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(!texts.isEmpty)
      #expect(texts.allSatisfy { $0.hasPrefix("GET http://pictures.invalid/") })
      #expect(texts.allSatisfy { $0.contains("Proxy-Authorization: Basic bWU6aHVudGVyMg==") })
      // Not the upper-case one, and not for what is excepted.
      for (environment, arguments) in [
        (["HTTP_PROXY": url], [String]()), (["http_proxy": url, "no_proxy": ".invalid"], []),
        (["http_proxy": url], ["--no-proxy", "pictures.invalid"]),
      ] {
        let direct = try await rig.imgdl(
          ["add", "http://pictures.invalid/3.png"] + arguments + allow, environment: environment)
        #expect(direct.code == 4, "\(direct.errors)")
      }
      #expect(proxy.requests.count == texts.count)
      let shown = try await rig.imgdl("config", environment: ["http_proxy": url])
      #expect(shown.output.contains("http://***@127.0.0.1:\(proxy.port)"))
      #expect(shown.output.contains("environment http_proxy"))
      #expect(!shown.output.contains("hunter2"))
    }
  }

  @Test("the error of an unreachable proxy names it, with exit code 4")
  func missingProxy() async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl(
        "add", "--proxy", "http://me:hunter2@127.0.0.1:1", "--retry", "0",
        "http://pictures.invalid/1.png")
      #expect(ending.code == 4, "\(ending.errors)")
      #expect(ending.errors.contains("the proxy 127.0.0.1"))
      #expect(!ending.errors.contains("hunter2"))
    }
  }
}
