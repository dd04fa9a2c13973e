import Foundation
import Glibc
import HTTP1
import Origin
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// `experiment`, the real program against the real origin.
@Suite struct ExperimentTests {
  struct Written: Decodable {
    struct Run: Decodable {
      let combination: Int
      let repetition: Int
      let wallSeconds: Double
      let userSeconds: Double
      let systemSeconds: Double
      let peakMemory: Int64
      let bytes: Int64
      let requests: Int
      let failures: Int
      let exitCode: Int32
    }
    let identical: Bool
    let runs: [Run]
  }

  private func written(_ path: String) throws -> Written {
    try JSONDecoder().decode(Written.self, from: Data(try FileSystem.contents(of: path)))
  }

  /// Nothing of the temporary libraries stays, and no library is made.
  private func expectNothingLeft(_ rig: Rig) throws {
    #expect(try FileSystem.list(rig.root + "/tmp").map(\.name) == [])
    #expect(!FileSystem.exists(rig.library))
  }

  @Test(
    "each combination runs the given number of times in a new library, and everything is measured")
  func measures() async throws {
    try await Rig.run { rig in
      let urls = try (1...10).map { try rig.serve("\($0).bin", Sample.bytes(5_000 + $0)) }
      let source = try rig.serve("list.json", Sample.json(urls))
      let ending = try await rig.imgdl(
        "experiment", source, "--vary", "adapters.transport=socket,url-session", "--vary",
        "durability=relaxed", "--repeat", "2", "-j", "3", "--no-thumbnails", "--json", "all.json",
        "--html", "page.html")
      #expect(ending.code == 0, "\(ending.errors)")
      try expectNothingLeft(rig)
      let result = try written(rig.root + "/all.json")
      #expect(result.identical)
      #expect(result.runs.map(\.combination) == [1, 0, 0, 1, 1, 0])
      #expect(result.runs.map(\.repetition) == [0, 0, 1, 1, 2, 2])
      for run in result.runs {
        #expect(run.bytes == 50_055)
        #expect(run.requests == 11, "the list is one")
        #expect(run.failures == 0 && run.exitCode == 0)
        #expect(run.wallSeconds > 0 && run.wallSeconds < 60)
        // The kernel tells the sum exactly and guesses the parts.
        #expect(run.userSeconds + run.systemSeconds > 0)
        #expect(run.peakMemory > 5_000_000)
      }
      // The helper program of url-session is a process more.
      #expect(result.runs[1].peakMemory + 5_000_000 < result.runs[0].peakMemory)
      #expect(rig.wholeLog().count == 66)
      #expect(ending.output.hasPrefix("MEASURE   COMBINATION"))
      #expect(ending.output.contains("transport=url-session, durability=relaxed"))
      #expect(ending.errors.contains("run 2 of 6: transport=socket, durability=relaxed"))
      let page = String(
        decoding: try FileSystem.contents(of: rig.root + "/page.html"), as: UTF8.self)
      #expect(page.contains("<title>imgdl-cli experiment \(source) --vary"))
    }
  }

  @Test("failures and attempts are counted as at the server, and the exit code is 1")
  func failures() async throws {
    try await Rig.run {
      $0.faults = [FaultRate(.reset, percent: 30)]
      $0.seed = 5
    } _: { rig in
      var urls = try (1...12).map { try rig.serve("\($0).bin", Sample.bytes(900 + $0)) }
      urls.append(rig.url("none.bin"))
      let source = try rig.write("list.json", Sample.json(urls))
      let ending = try await rig.imgdl(
        "experiment", source, "--vary", "adapters.progress=foundation,counters", "--repeat", "1",
        "--set", "network.retryDelay=1ms", "--set", "network.retries=50", "--json", "all.json")
      #expect(ending.code == 1, "\(ending.errors)")
      let result = try written(rig.root + "/all.json")
      #expect(result.identical)
      #expect(result.runs.map(\.failures) == [1, 1, 1, 1])
      let log = rig.wholeLog()
      #expect(log.contains { $0.fault == .reset })
      #expect(result.runs.map(\.requests).reduce(0, +) == log.count)
    }
  }

  @Test("runs that download different files are reported as not comparable, with exit code 1")
  func different() async throws {
    try await Rig.run { rig in
      let count = Atomic(0)
      let server = try ScriptedServer { _, _, request in
        let isChanging = request.head?.target == "/2.bin"
        let number = isChanging ? count.add(1, ordering: .relaxed).newValue : 0
        return [.send(Reply.bytes((200, Sample.bytes(1_000 + number))))]
      }
      defer { server.stop() }
      let source = try rig.write(
        "list.json", Sample.json(["\(server.url)1.bin", "\(server.url)2.bin"]))
      let ending = try await rig.imgdl(
        "experiment", source, "--vary", "adapters.progress=foundation,counters", "--repeat", "1",
        "--warmup", "0", "--json", "all.json", "--html", "page.html")
      #expect(ending.code == 1)
      #expect(ending.errors.contains("RESULTS DIFFER: run 2 of 2: progress=counters"))
      #expect(ending.errors.contains("list/0002-2.bin (SHA-256"))
      #expect(!ending.errors.contains("list/0001-1.bin"))
      #expect(ending.errors.contains("the times are not comparable"))
      #expect(try !written(rig.root + "/all.json").identical)
      let page = String(
        decoding: try FileSystem.contents(of: rig.root + "/page.html"), as: UTF8.self)
      #expect(page.contains("these figures compare nothing"))
      try expectNothingLeft(rig)
    }
  }

  @Test("files from archives are compared, too, also between archive adapters")
  func archives() async throws {
    try await Rig.run { rig in
      let archive = ZipBuilder([
        .deflated("two.png", Sample.image(20)), .stored("folder/ten.png", Sample.image(21)),
      ])
      let url = try rig.serve("pages.zip", archive.build())
      let source = try rig.serve("all.zip", Sample.manifest(["a.json": [url]]))
      let ending = try await rig.imgdl(
        "experiment", source, "--vary", "adapters.archive=minizip,libarchive", "--vary",
        "adapters.store=sqlite,memory", "--repeat", "1", "--warmup", "0")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.output.contains("archive=libarchive, store=memory"))
    }
  }

  struct Wrong: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let words: [String]
    var code: Int32 = 2
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(
    "invalid arguments are reported before anything runs",
    arguments: [
      Wrong(arguments: ["list.json"], words: ["--vary"]),
      Wrong(
        arguments: ["list.json", "--vary", "adapters.transport=socket,sockt"],
        words: ["--vary", "\"sockt\"", "socket, url-session"]),
      Wrong(
        arguments: ["list.json", "--vary", "adapters.decoder=auto,vip"],
        words: ["--vary", "\"vip\"", "auto, codecs, vips, svg, poppler"]),
      Wrong(
        arguments: ["list.json", "--vary", "adapters.transprot=socket"],
        words: ["did you mean adapters.transport?"]),
      Wrong(
        arguments: [
          "list.json", "--vary", "adapters.transport=socket,url-session", "--set",
          "network.insecure=true",
        ], words: ["transport=url-session", "network.insecure"]),
      Wrong(
        arguments: ["list.json", "--vary", "network.maxConcurrentDownloads=1,2", "-j", "3"],
        words: ["network.maxConcurrentDownloads", "for all"]),
      Wrong(
        arguments: ["list.json", "--vary", "durability=full", "-d", "x"], words: ["TMPDIR"]),
      Wrong(arguments: ["-", "--vary", "durability=full"], words: ["standard input"]),
      Wrong(
        arguments: ["none.json", "--vary", "durability=full"], words: ["none.json"], code: 3),
      Wrong(
        arguments: ["list.json", "--vary", "durability=full", "--json", "none/x"],
        words: ["none"], code: 6),
      Wrong(
        arguments: ["list.json", "--vary", "durability=full", "--repeat", "0"],
        words: ["--repeat", "1 to 1000"]),
    ])
  func wrong(_ example: Wrong) async throws {
    try await Rig.run { rig in
      let url = try rig.serve("1.bin", Sample.bytes(10))
      try rig.write("list.json", Sample.json([url]))
      let ending = try await rig.imgdl(["experiment"] + example.arguments)
      #expect(ending.code == example.code, "\(ending.errors)")
      for word in example.words { #expect(ending.errors.contains(word), "\(ending.errors)") }
      #expect(ending.output == "")
      try expectNothingLeft(rig)
      #expect(rig.wholeLog().isEmpty)
    }
  }

  @Test("a run that fails ends the experiment with its exit code and its message")
  func broken() async throws {
    try await Rig.run { rig in
      let source = try rig.serve("list.json", "{ no list")
      let ending = try await rig.imgdl("experiment", source, "--vary", "durability=full")
      #expect(ending.code == 3, "\(ending.errors)")
      #expect(ending.errors.contains("the run with durability=full exited with code 3: "))
      #expect(ending.errors.contains("list.json"))
      try expectNothingLeft(rig)
    }
  }

  @Test(
    "an interrupt ends the child and its helpers, and removes the libraries",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(_ number: Int32) async throws {
    try await Rig.run {
      $0.rate = 4_096
    } _: { rig in
      let urls = try (1...8).map { try rig.serve("\($0).bin", Sample.bytes(200_000 + $0)) }
      let source = try rig.serve("list.json", Sample.json(urls))
      let program = try rig.start([
        "experiment", source, "--vary", "adapters.transport=url-session,socket",
        "--warmup", "0",
      ])
      // The list has been read: the bodies are on their way.
      await rig.answers(1, to: program)
      program.signal(number)
      let ending = await program.ending(atMost: 10)
      #expect(!ending.isTimedOut)
      #expect(ending.code == 7, "\(ending.errors)")
      #expect(ending.errors.contains("the temporary libraries are removed"))
      try expectNothingLeft(rig)
      // A process that still runs has the folder's path in its arguments; the pattern does not match itself.
      let running = try await rig.shell(
        "grep -l '\(rig.root)/tmp/imgdl-experimen[t]' /proc/[0-9]*/cmdline | wc -l")
      #expect(running.output == "0\n")
    }
  }
}
