import Foundation
import Origin
import Testing

/// User names and passwords of URLs appear nowhere, whichever command gets them.
@Suite struct SecretTests {
  /// Command lines in which `URL` stands for a URL with credentials and `LIST` for the path of a list.
  static let commands = [
    ["add", "URL"], ["add", "--json", "URL"], ["add", "--dry-run", "URL"],
    ["add", "--detach", "URL"], ["add", "--input-file", "URL"], ["add", "--bad=URL", "URL"],
    ["add", "--load-cookies", "URL", "LIST"], ["add", "--format", "URL", "LIST"],
    ["add", "--proxy", "URL", "--retry", "0", "LIST"], ["add", "--proxy", "URL/path", "LIST"],
    ["add", "--set", "network.httpProxy=URL", "--dry-run", "LIST"],
    ["add", "--set", "URL", "LIST"], ["add", "--set", "URL=1", "LIST"],
    ["add", "--set", "store=URL", "LIST"], ["add", "--retry", "URL", "LIST"],
    ["add", "--no-proxy", "URL", "--dry-run", "LIST"],
    ["config", "--proxy", "URL"], ["config", "URL"], ["config", "--set", "network.httpProxy=URL"],
    ["config", "--json", "--set", "network.httpsProxy=URL"],
    ["refresh", "URL"], ["fetch", "URL"], ["show", "URL"], ["details", "URL"], ["list", "URL"],
    ["pause", "URL"], ["resume", "URL"], ["cancel", "URL"], ["retry", "URL"], ["reload", "URL"],
    ["more", "URL"], ["priority", "URL", "high"], ["priority", "1", "URL"],
    ["concurrency", "URL"], ["remove", "--yes", "URL"], ["verify", "URL"],
    ["export", "URL", "--format", "csv"], ["export", "1", "--format", "URL"],
    ["contact-sheet", "URL", "-o", "x.jpg"], ["view", "URL"], ["watch", "URL"],
    ["experiment", "URL", "--vary", "adapters.transport=socket"],
    ["experiment", "LIST", "--vary", "URL"], ["daemon", "URL"], ["completion", "URL"],
    ["help", "URL"], ["URL"], ["--URL"],
  ]

  @Test("of a URL on the command line are in no message", arguments: commands)
  func commandLine(_ words: [String]) async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", "http://127.0.0.1:9/a.png\n")
      let url = "http://hermione:alohomora@127.0.0.1:9"
      let words = words.map {
        $0.replacingOccurrences(of: "URL", with: url)
          .replacingOccurrences(of: "LIST", with: list)
      }
      let ending = try await rig.imgdl(words)
      #expect(!(ending.output + ending.errors).contains("alohomora"), "\(words)")
      #expect(!(ending.output + ending.errors).contains("hermione"), "\(words)")
    }
  }

  @Test("of a redirect, a list and the environment are in no message, row or export")
  func elsewhere() async throws {
    try await Rig.run { rig in
      let secret = "http://hermione:alohomora@127.0.0.1:9/x.png"
      let server = try ScriptedServer { _, _, _ in
        [.sendString("HTTP/1.1 302 Found\r\nLocation: \(secret)\r\nContent-Length: 0\r\n\r\n")]
      }
      let list = try rig.write("list.txt", "\(server.url)a.png\n\(secret)\n")
      let json = try rig.write(
        "list.json",
        "[{\"url\":\"\(server.url)b.png\",\"title\":\"\(secret)\"},\"\(secret)\", {\"\(secret)\":1}]"
      )
      var texts: [String] = []
      for words in [
        ["add", "--retry", "0", list, json],
        ["add", "--retry", "0", "--json", "--again", list, json],
        ["add", "--dry-run", list, json], ["list"], ["list", "--json"], ["show", "1"],
        ["show", "--json", "1"], ["show", "2"], ["show", "--json", "2"], ["details", "2"],
        ["details", "1"], ["details", "--csv", "1"], ["export", "1", "--format", "csv"],
        ["export", "1", "--format", "jsonl"], ["retry"], ["verify"], ["doctor"],
      ] {
        let ending = try await rig.imgdl(words)
        texts.append(ending.output + ending.errors)
        #expect(
          !texts[texts.count - 1].contains("alohomora"), "\(words): \(texts[texts.count - 1])")
      }
      #expect(texts[0].contains("http://***@127.0.0.1:9/x.png"), "the rest of it is named")
    }
  }
}
