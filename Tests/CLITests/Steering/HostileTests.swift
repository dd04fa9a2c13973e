import Glibc
import Origin
import SystemCalls
import TestSupport
import Testing

/// Names, servers and neighbours that mean no good.
@Suite struct HostileTests {
  @Test("control sequences in titles and reasons are escaped by every command")
  func escapes() async throws {
    try await Rig.run { rig in
      let evil = "a\u{1b}]0;owned\u{7}b\u{9b}2Jc\u{202e}d"
      let list = try Sample.json([try rig.serve("1.png", Sample.image(1)), rig.url("none.png")])
      let zip = ZipBuilder([.stored("\(evil).json", Array(list.utf8))])
      let source = try rig.write("all.zip", zip.build())
      #expect(try await rig.imgdl("add", source).code == 1)
      try FileSystem.remove(
        try #require(try await rig.resources().first?.file.map { rig.library + "/" + $0 }))
      var texts: [String] = []
      for words in [
        ["verify"], ["verify", "--json"], ["export", "1", "--format", "csv"],
        ["export", "1", "--format", "jsonl"], ["pause", "1"], ["priority", "1", "high"],
        ["cancel", "1"], ["retry", "1"], ["retry", "1", "--json"], ["reload", "1"],
        ["refresh", "1"],
        ["more", "1"], ["pause", evil], ["fetch", "http://h/\(evil)"], ["fetch", evil],
        ["refresh", evil], ["concurrency", evil], ["priority", "1", evil],
        ["export", "1", "--format", "csv", "-o", "none/\(evil)"], ["watch"],
        ["remove", "1", "--yes"],
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.signal == nil, "\(words)")
        texts.append(ending.output.replacing("\r\n", with: "\n") + ending.errors)
      }
      for text in texts {
        let bad = text.unicodeScalars.filter {
          ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7f..<0xa0).contains($0.value)
            || $0.value == 0x202e
        }
        #expect(bad.isEmpty, "\(text)")
      }
    }
  }

  @Test("a lock file that is a link, or names no process, does not keep a command from working")
  func lockFiles() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("a", 1)[0]
      #expect(try await rig.imgdl("add", url).code == 0)
      let lock = rig.library + "/.imgdl/lock"
      let socket = rig.root + "/tmp/socket"
      for text in [
        "", "\n", "1\n", "1\n/dev/null\n", "99999999\n\(socket)\n", "x\ny\n",
        "-1\n\(String(repeating: "/a", count: 4_000))\n", "1\nrelative/path\n", "1\n\(rig.root)\n",
      ] {
        try FileSystem.replace(lock, with: text)
        for words in [["pause"], ["concurrency"], ["show", "1"], ["add", url, "--again"]] {
          let ending = try await rig.imgdl(words)
          #expect(ending.code == 0, "\(words) with \(text.prefix(40)): \(ending.errors)")
        }
      }
      // The lock of another library names an engine that is not ours.
      let other = rig.root + "/other"
      try await rig.withFirst { first, _ in
        try FileSystem.makeFolders(other + "/.imgdl")
        try FileSystem.copy(lock, to: other + "/.imgdl/lock")
        let ending = try await rig.imgdl("add", "-d", other, url)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(try await rig.imgdl("list", "-d", other).output.contains("Finished"))
        #expect(first.events.count { $0.event == "record" } == 1, "that engine heard nothing")
      }
    }
  }

  @Test("a socket that accepts and does not respond does not stop commands that only read")
  func deafSocket() async throws {
    try await Rig.run { rig in
      try await rig.withFirst { first, stage in
        // A stopped program keeps its socket, and the kernel accepts for it.
        first.signal(SIGSTOP)
        for words in [["list"], ["show", "1"], ["export", "1", "--format", "csv"]] {
          let ending = try await rig.imgdl(words)
          #expect(ending.code == 0, "\(words)")
        }
        let pause = try rig.start(["pause"])
        first.signal(SIGCONT)
        await expect(pause, endsWith: 0)
        stage.gate.open()
        #expect(try await rig.imgdl("resume").code == 0)
        await expect(first, endsWith: 0)
      }
    }
  }

  @Test("a library that two programs open at the same time has one engine")
  func race() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("a", 1)[0]
      #expect(try await rig.imgdl("add", url).code == 0)
      let words = ["pause", "resume", "concurrency", "verify", "retry", "fetch"]
      let programs = try (0..<18).map { number in
        let name = words[number % words.count]
        return try rig.start(
          [name] + (name == "concurrency" ? ["\(number + 1)"] : name == "fetch" ? [url] : []))
      }
      for program in programs {
        let ending = await program.ending()
        #expect(ending.code == 0, "\(ending.errors)")
      }
      #expect(try await rig.records().map(\.status) == ["Finished"])
    }
  }
}
