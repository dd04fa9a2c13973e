import Glibc
import Origin
import SystemCalls
import Testing

/// Ctrl-C and its like: stop cleanly, keep everything, go on later.
@Suite struct InterruptTests {
  @Test(
    "one signal stops within 5 seconds with exit code 7, and the same command continues",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func signal(_ number: Int32) async throws {
    try await withSlowList { rig, source in
      let program = try rig.start(["add", "-j", "4", source])
      await rig.answers(6, to: program)
      program.signal(number)
      let ending = await program.ending(atMost: 5)
      #expect(!ending.isTimedOut)
      #expect(ending.code == 7, "\(ending.errors)")
      #expect(ending.errors.contains("Run the same command again to continue"))
      let kept = try await rig.resources().filter { $0.status == "finished" }

      let second = try await rig.imgdl("add", source)
      #expect(second.code == 0, "\(second.errors)")
      #expect(second.errors.contains("continuing an interrupted add"))
      #expect(try await rig.records().map(\.status) == ["Finished"])
      try await rig.expectOriginals()
      let targets = rig.wholeLog().map { rig.url(String($0.target.dropFirst())) }
      for resource in kept { #expect(targets.count { $0 == resource.url } == 1) }
    }
  }

  @Test("an interrupted list that has changed is continued, and the change is reported")
  func changedList() async throws {
    try await withSlowList { rig, _ in
      let known = (1...24).map { rig.url("\($0).bin") }
      let list = try rig.write("list.txt", known.joined(separator: "\n"))
      let program = try rig.start(["add", "-j", "4", list])
      await rig.answers(6, to: program)
      program.signal(SIGINT)
      #expect(await program.ending(atMost: 5).code == 7)
      let new = try rig.serveImages("new", 1)[0]
      try rig.write("list.txt", new)

      let second = try await rig.imgdl("add", list)
      #expect(second.code == 0, "\(second.errors)")
      #expect(second.errors.contains("list.txt: continuing an interrupted add"))
      #expect(
        second.errors.contains("has changed since it was added; imgdl-cli refresh 1 adds its"),
        "\(second.errors)")
      #expect(try await rig.resources().map(\.url) == known)
      #expect(try await rig.imgdl("refresh", "1").code == 0)
      #expect(try await rig.resources().map(\.url).contains(new))
    }
  }

  @Test("Ctrl-C in a terminal, once and twice", arguments: [1, 2])
  func keys(_ times: Int) async throws {
    try await withSlowList { rig, source in
      let program = try rig.start(["add", source], terminal: (80, 24))
      await rig.answers(4, to: program)
      for _ in 0..<times { try program.type("\u{3}") }
      let ending = await program.ending(atMost: 5)
      #expect(!ending.isTimedOut)
      #expect(ending.code == 7, "\(ending.output)")
      let second = try await rig.imgdl("add", source)
      #expect(second.code == 0, "\(second.errors)")
      try await rig.expectOriginals()
    }
  }

  @Test("a signal that is ignored at the start, as under nohup, stays ignored")
  func ignored() async throws {
    try await withSlowList { rig, source in
      let program = try rig.start(["add", source], ignoring: [SIGHUP])
      await rig.answers(4, to: program)
      program.signal(SIGHUP)
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.errors)")
    }
  }

  @Test(
    "a signal before the command has begun ends the program with the code and a message",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func early(_ number: Int32) async throws {
    try await Rig.run { rig in
      // The password is read before the library is opened, and does not come.
      let program = try rig.start(
        ["add", "--password-file", "-", rig.url("a.png")], input: [], keepsInputOpen: true)
      try await untilHandled(number, by: program.process)
      program.signal(number)
      let ending = await program.ending(atMost: 5)
      #expect(ending.code == 7 && ending.errors == "imgdl-cli: interrupted\n", "\(ending)")
      #expect(try await rig.records() == [])
    }
  }

  /// Returns when the process handles the signal, or after ten minutes.
  private func untilHandled(_ number: Int32, by process: pid_t) async throws {
    let deadline = ContinuousClock.now + .seconds(600)
    while try !handles(number, process), ContinuousClock.now < deadline {
      await Task.yield()
    }
  }

  /// Whether the process handles the signal. The process that becomes imgdl-cli has other handlers before.
  private func handles(_ number: Int32, _ process: pid_t) throws -> Bool {
    let file = try FileSystem.open("/proc/\(process)/status", .reading)
    let text = String(decoding: try file.bytes(count: 4_096, at: 0), as: UTF8.self)
    guard text.hasPrefix("Name:\timgdl-cli\n") else { return false }
    let line = text.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let digits = line?.drop { !$0.isWhitespace }.filter { !$0.isWhitespace } ?? ""
    return (UInt64(digits, radix: 16) ?? 0) >> UInt64(number - 1) & 1 == 1
  }

  @Test("an interrupt at any moment says that data is kept only if a source was added")
  func anyMoment() async throws {
    for count in 0...3 {
      try await withSlowList { rig, source in
        let program = try rig.start(["add", source])
        try await untilHandled(SIGINT, by: program.process)
        if count > 0 { await rig.answers(count, to: program) }
        program.signal(SIGINT)
        let ending = await program.ending(atMost: 5)
        #expect(ending.code == 7 && ending.errors.lowercased().contains("interrupted"), "\(ending)")
        guard try await rig.records() == [] else { return }
        #expect(!ending.errors.contains("kept"), "\(count) answers: \(ending.errors)")
      }
    }
  }

  @Test(
    "a source that does not answer, or an input that does not end, can be interrupted",
    arguments: ["url", "input", "dry-run"])
  func waiting(_ what: String) async throws {
    try await Rig.run { rig in
      let asked = try Gate()
      let server = try ScriptedServer { _, _, _ in [.open(asked), .hold(nil)] }
      defer { server.stop() }
      let arguments =
        switch what {
        case "url": ["add", server.url + "list.json"]
        case "dry-run": ["add", "--dry-run", server.url + "list.json"]
        default: ["add", "-"]
        }
      let program = try rig.start(
        arguments, input: Array("http://127.0.0.1/".utf8), keepsInputOpen: true,
        terminal: what == "input" ? (80, 24) : nil)
      if what == "input" {
        #expect(await program.waits { $0.contains("Reading") })
      } else {
        await asked.wait()
      }
      program.signal(SIGINT)
      let ending = await program.ending(atMost: 5)
      #expect(!ending.isTimedOut)
      #expect(ending.code == 7, "\(ending.output)\(ending.errors)")
      if what == "url" {
        #expect(ending.errors.contains("Interrupted; nothing was added."), "\(ending.errors)")
        #expect(!ending.errors.contains("kept"), "\(ending.errors)")
        #expect(try await rig.records() == [])
      }
    }
  }

  @Test("a large file continues where it was interrupted, by Range", arguments: [SIGINT, SIGKILL])
  func range(_ number: Int32) async throws {
    try await Rig.run {
      $0.rate = 1 << 20
    } _: { rig in
      let url = try rig.serve("large.bin", Sample.bytes(3 << 20))
      let list = try rig.write("list.txt", url)
      let program = try rig.start(["add", list], terminal: (100, 24))
      // The total shows megabytes (the rate has another unit): some of it is on the disk.
      #expect(await program.waits { $0.contains(" MB  ") })
      program.signal(number)
      let ending = await program.ending(atMost: 5)
      #expect(number == SIGKILL ? ending.signal == 9 : ending.code == 7, "\(ending.output)")

      let second = try await rig.imgdl("add", list)
      #expect(second.code == 0, "\(second.errors)")
      let last = try #require(rig.wholeLog().last)
      let range = try #require(last.range, "the log shows a range")
      #expect(last.status == 206)
      let start = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
      #expect(start > 500_000)
      #expect(Int(last.bytes) == 3 << 20 - start)
      try await rig.expectOriginals()
    }
  }

  private func withSlowList(_ body: (Rig, String) async throws -> Void) async throws {
    try await Rig.run {
      $0.latency = .milliseconds(50)
      $0.rate = 128 << 10
    } _: { rig in
      let urls = try (1...24).map { try rig.serve("\($0).bin", Sample.bytes(9_000 + $0)) }
      try await body(rig, try rig.serve("list.json", Sample.json(urls)))
    }
  }
}
