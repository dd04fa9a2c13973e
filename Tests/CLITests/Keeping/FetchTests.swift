import Glibc
import Origin
import SystemCalls
import Testing

/// `fetch`: one resource through the cache (RM1-RM3).
@Suite struct FetchTests {
  @Test(
    "a fetch prints the path; the next one needs no request; refresh and reload ask",
    arguments: [true, false])
  func policies(_ runs: Bool) async throws {
    try await Rig.run { rig in
      if runs {
        try await rig.withFirst { _, stage in try await check(rig, stage) }
      } else {
        try await check(rig, try Stage())
        #expect(try await rig.records() == [], "no record is made")
      }
    }
  }

  private func check(_ rig: Rig, _ stage: Stage) async throws {
    let url = stage.serve("a.png", Sample.image(1))
    let first = try await rig.imgdl("fetch", url)
    #expect(first.code == 0, "\(first.errors)")
    let path = String(first.output.dropLast())
    #expect(path.hasPrefix(rig.library + "/"))
    #expect(try FileSystem.contents(of: path) == Sample.image(1))
    #expect(try await rig.imgdl("fetch", url).output == first.output)
    #expect(stage.requests(of: "a.png").count == 1, "from the library")

    let refreshed = try await rig.imgdl("fetch", url, "--refresh")
    #expect(refreshed.code == 0, "\(refreshed.errors)")
    #expect(stage.requests(of: "a.png").count == 2)
    #expect(stage.requests(of: "a.png").last?.condition != nil)

    stage.serve("a.png", Sample.image(2))
    #expect(try await rig.imgdl("fetch", url).output == first.output)
    let reloaded = try await rig.imgdl("fetch", url, "--reload", "-o", "-")
    #expect(reloaded.code == 0, "\(reloaded.errors)")
    #expect(stage.requests(of: "a.png").last?.condition == nil)
    let now = String(try await rig.imgdl("fetch", url).output.dropLast())
    #expect(try FileSystem.contents(of: now) == Sample.image(2))
    #expect(stage.requests(of: "a.png").count == 3)
  }

  @Test("-o copies to a file, whole or not at all, or to standard output byte by byte")
  func output() async throws {
    try await Rig.run { rig in
      let url = try rig.serve("a.bin", Sample.bytes(700_000))
      let file = rig.root + "/out.bin"
      let copied = try await rig.imgdl("fetch", url, "-o", "out.bin")
      #expect(copied.code == 0 && copied.output == "", "\(copied.errors)")
      #expect(try Rig.digest(file) == Rig.digest(rig.served + "/a.bin"))
      let piped = try await rig.shell("imgdl-cli fetch \(url) -o - > piped.bin")
      #expect(piped.code == 0)
      #expect(try Rig.digest(rig.root + "/piped.bin") == Rig.digest(file))
      for target in ["- | head -c 10 > /dev/null", "/dev/null"] {
        #expect(try await rig.shell("imgdl-cli fetch \(url) -o \(target)").code == 0)
      }

      try rig.write("out.bin", "mine")
      for (target, word) in [
        ("tmp", "Is a directory"), ("none/out.bin", "No such file"), ("/dev/full", "No space left"),
      ] {
        let bad = try await rig.imgdl("fetch", url, "-o", target)
        #expect(bad.code == 6, "\(target): \(bad.errors)")
        #expect(bad.errors.contains(word), "\(bad.errors)")
      }
      #expect(try await rig.imgdl("fetch", url, "-o", "").code == 2)
      #expect(try FileSystem.contents(of: file) == Array("mine".utf8))
      #expect(try await rig.shell("ls *.part-* none 2>/dev/null").output == "")
    }
  }

  @Test("a fetch that fails has the exit code of its cause")
  func failures() async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let cases: [([String], Int32)] = [
        (["fetch", stage.url("none.png")], 3), (["fetch", "http://127.0.0.1:1/a"], 4),
        (["fetch", "ftp://h/a"], 3), (["fetch", "a.png"], 3), (["fetch", "http://"], 3),
        (["fetch", "http://h/a\nb"], 3), (["fetch"], 2), (["fetch", "a", "b"], 2),
        (["fetch", stage.url("a"), "--refresh", "--reload"], 2),
      ]
      for (words, code) in cases {
        let ending = try await rig.imgdl(words + ["--set", "network.retries=0"])
        #expect(ending.code == code, "\(words): \(ending.errors)")
        #expect(!ending.errors.isEmpty && ending.output == "")
      }
      let url = stage.serve("big.bin", Sample.bytes(5_000))
      let big = try await rig.imgdl("fetch", url, "--set", "limits.resourceBytes=1000")
      #expect(big.code == 8, "\(big.errors)")
    }
  }

  @Test("a fetch can be interrupted; other unfinished downloads are not begun")
  func interrupting() async throws {
    try await Rig.run { rig in
      let stage = try await rig.interrupted(held: 2)
      let url = stage.hold("f", 1)[0]
      let count = stage.requests.count
      let fetch = try rig.start(["fetch", url])
      #expect(await fetch.waits(for: { stage.requests.contains { $0.path == "f-1.bin" } }))
      fetch.signal(SIGINT)
      let ending = await fetch.ending(atMost: 5)
      #expect(ending.code == 7 && !ending.isTimedOut, "\(ending.errors)")
      #expect(stage.requests.count == count + 1, "\(stage.requests.map(\.path))")
      #expect(try await rig.records().map(\.total) == [2])
    }
  }

  @Test("fetches of one resource at the same time make one request; one that leaves is left out")
  func together() async throws {
    try await Rig.run { rig in
      try await rig.withFirst(held: 1) { first, stage in
        let url = stage.hold("f", 1)[0]
        let leaving = try rig.start(["fetch", url])
        #expect(await first.waits(for: { stage.requests.contains { $0.path == "f-1.bin" } }))
        let staying = try (1...2).map { _ in try rig.start(["fetch", url]) }
        leaving.signal(SIGINT)
        await expect(leaving, endsWith: 7)
        stage.gate.open()
        for fetch in staying { await expect(fetch, endsWith: 0) }
        #expect(stage.requests(of: "f-1.bin").count == 1)
      }
    }
  }
}
