import DatasetWorker
import Datasets
import Glibc
import Models
import Rendering
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Threading
import Transport

@Suite("The worker of datasets")
struct ShardWorkerTests {
  /// The result of a worker's run.
  struct Outcome {
    var lines: [String]
    var error: ShardError?
    var tar: [UInt8]
  }

  /// Runs a worker on a text, and reads its report at the same time.
  static func serve(
    _ input: String, _ answers: @escaping @Sendable (HTTPURL, Int) -> FakeTransport.Answer
  ) async throws -> Outcome {
    try await serve(input, FakeTransport(answers))
  }

  /// - Parameter reported: Receives the number of lines that the worker has reported so far.
  static func serve(
    _ input: String, _ transport: FakeTransport, _ renderer: FakeRenderer = FakeRenderer(),
    clock: any MonotonicClock = SystemClock(),
    reported: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Outcome {
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-shards-")
    defer { try? FileSystem.removeTree(folder) }
    let (inputReading, inputWriting) = try Channels.pipe()
    let (outputReading, outputWriting) = try Channels.pipe()
    let worker = ShardWorker(
      ShardWorker.Services(
        transport: transport, renderer: renderer, rendererWidth: 2, maximumTransfers: 64,
        retries: RetryPolicy(retries: 0, delay: 0, ceiling: 0), clock: clock))
    let text = Array(input.replacing("TAR", with: folder + "/shard.tar").utf8)
    try BlockingThread("test-writer") {
      try? inputWriting.write(all: text.span.bytes)
      inputWriting.close()
    }
    async let served = BlockingThread.run("test-worker") {
      let result = Result { () throws(ShardError) in
        try worker.serve(input: inputReading, output: outputWriting)
      }
      outputWriting.close()
      return result
    }
    let bytes = try await BlockingThread.run("test-reader") {
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try part.withUnsafeMutableBytes { try outputReading.read(into: $0) }
        guard count > 0 else { return bytes }
        bytes += part[..<count]
        reported(bytes.count { $0 == UInt8(ascii: "\n") })
      }
    }
    var outcome = Outcome(lines: [], tar: [])
    if case .failure(let error) = try await served { outcome.error = error }
    outcome.lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    outcome.tar = (try? FileSystem.contents(of: folder + "/shard.tar", limit: 1 << 28)) ?? []
    return outcome
  }

  static func input(_ urls: [String], _ members: String = "") -> String {
    let head = #"{"shard":1,"count":\#(urls.count),"tar":"TAR","compute_hash":null\#(members)}"#
    let samples = urls.enumerated().map { index, url in
      #"{"i":\#(index),"url":"\#(url)","meta":{"url":"\#(url)"}}"#
    }
    return ([head] + samples).joined(separator: "\n") + "\n"
  }

  /// The names of the files of an archive.
  private static func names(_ tar: [UInt8]) -> [String] {
    var names: [String] = []
    var offset = 0
    while offset + 512 <= tar.count, tar[offset] != 0 {
      let header = tar[offset..<(offset + 512)]
      names.append(String(decoding: header.prefix(100).prefix { $0 != 0 }, as: UTF8.self))
      let size = Int(
        String(decoding: header[(offset + 124)..<(offset + 135)], as: UTF8.self), radix: 8)
      offset += 512 + ((size ?? 0) + 511) / 512 * 512
    }
    return names
  }

  @Test("Reports samples and writes files in the order of the input")
  func order() async throws {
    let urls = (0..<500).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(Self.input(urls)) { url, _ in
      url.description.hasSuffix("7") ? .status(404) : .body(Array(url.description.utf8))
    }
    #expect(outcome.error == nil)
    #expect(outcome.lines.count == 501)
    for (index, line) in outcome.lines.dropLast().enumerated() {
      #expect(line.hasPrefix(#"{"i":\#(index),"key":"00001"#))
      #expect(line.contains("HTTP Error 404: Not Found") == (index % 10 == 7))
    }
    #expect(outcome.lines.last?.contains(#""successes":450,"failed_to_download":50"#) == true)
    let names = Self.names(outcome.tar)
    #expect(names.count == 900)
    #expect(names == names.sorted())
    #expect(outcome.tar.count % 10_240 == 0)
  }

  @Test("The same input gives the same bytes")
  func determinism() async throws {
    let urls = (0..<300).map { "http://example.org/\($0)" }
    let answers = { @Sendable (url: HTTPURL, _: Int) in
      FakeTransport.Answer.body(Array(String(repeating: url.description, count: 400).utf8))
    }
    let first = try await Self.serve(Self.input(urls, #","thread_count":64"#), answers)
    let second = try await Self.serve(Self.input(urls, #","thread_count":1"#), answers)
    #expect(first.tar == second.tar)
  }

  @Test("Has at most as many transfers as the shard allows")
  func transfers() async throws {
    let transport = FakeTransport { url, _ in .body(Array(url.description.utf8)) }
    let urls = (0..<200).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(Self.input(urls, #","thread_count":3"#), transport)
    #expect(outcome.error == nil)
    #expect((1...3).contains(transport.mostInFlight))
  }

  @Test("Repeats transfers that may succeed, as often as the shard specifies")
  func retries() async throws {
    let urls = ["http://example.org/a", "http://example.org/b", "http://example.org/c"]
    let outcome = try await Self.serve(Self.input(urls, #","retries":2"#)) { url, attempt in
      switch url.description.last {
      case "a": attempt < 3 ? .failure(.connectionLost) : .body([1])
      case "b": .failure(.idleTimeout)
      default: attempt < 2 ? .failure(.tls) : .body([1])
      }
    }
    #expect(outcome.lines[0].contains("success"))
    #expect(outcome.lines[1].contains("timed out"))
    #expect(outcome.lines[2].contains("CERTIFICATE_VERIFY_FAILED"))
  }

  @Test("Reports the reason of each failure")
  func failures() async throws {
    let urls = ["bad", "small", "part", "empty", "robots", "no%20url"].map {
      $0 == "no%20url" ? "ftp:/x" : "http://example.org/\($0)"
    }
    let outcome = try await Self.serve(Self.input(urls, #","damaged":"fail""#)) { url, _ in
      let name = url.description.split(separator: "/").last.map(String.init) ?? ""
      switch name {
      case "empty": return .body([])
      case "robots": return .body([1], fields: HTTPFields(["X-Robots-Tag": "noai"]))
      default: return .body(Array(name.utf8))
      }
    }
    let reasons = [
      "Image decoding error", "image too small", "Image decoding error", "Image decoding error",
      "Use of image disallowed by X-Robots-Tag directive", "unknown url type",
    ]
    for (line, reason) in zip(outcome.lines, reasons) { #expect(line.contains(reason)) }
    #expect(Self.names(outcome.tar).isEmpty)
  }

  @Test("A damaged image is kept, or kept and flagged", arguments: ["keep", "flag"])
  func damage(policy: String) async throws {
    let outcome = try await Self.serve(
      Self.input(["http://example.org/part"], #","damaged":"\#(policy)""#)
    ) { _, _ in .body(Array("part".utf8)) }
    #expect(outcome.lines[0].contains(#""status":"success""#))
    #expect(outcome.lines[0].contains(#""damage":"#) == (policy == "flag"))
  }

  @Test("Compares hashes, and reports them")
  func hashes() async throws {
    let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let text = """
      {"shard":0,"count":2,"tar":"TAR","compute_hash":"sha256","verify_hash":true}
      {"i":0,"url":"http://example.org/a","hash":"\(sum)"}
      {"i":1,"url":"http://example.org/b","hash":"00"}

      """
    let outcome = try await Self.serve(text) { _, _ in .body(Array("abc".utf8)) }
    #expect(outcome.lines[0].contains(#""sha256":"\#(sum)""#))
    #expect(outcome.lines[1].contains("hash mismatch"))
  }

  @Test("Bytes of any content are unchanged without encoding")
  func passThrough() async throws {
    let outcome = try await Self.serve(
      Self.input(
        ["http://example.org/bad"], #","disable_all_reencoding":true,"extract_exif":false"#)
    ) { _, _ in .body(Array("bad bytes".utf8)) }
    #expect(outcome.lines[0].contains(#""status":"success""#))
    #expect(!outcome.lines[0].contains("width"))
    #expect(outcome.tar[512...].starts(with: "bad bytes".utf8))
  }

  @Test("Makes several shards one after another")
  func severalShards() async throws {
    let one = Self.input(["http://example.org/a"])
    let outcome = try await Self.serve(
      one + "\n" + one.replacing("\"shard\":1", with: "\"shard\":2")
    ) {
      _, _ in .body([1])
    }
    #expect(outcome.error == nil)
    #expect(outcome.lines.count == 4)
    #expect(outcome.lines[2].contains(#""key":"000020000""#))
  }

  @Test(
    "Input that ends or is damaged within a shard is an error",
    arguments: [
      (
        #"{"shard":0,"count":1,"tar":"TAR"}"# + "\n",
        "the input ends before the last sample of the shard"
      ),
      (#"{"shard":0,"count":1,"tar":"TAR"}"#, "the input ends within line 1"),
      (#"{"shard":0,"count":1,"tar":"TAR"}"# + "\n{}\n", "line 2: a sample has the index null"),
      ("[]\n", "line 1: the line is not an object"),
    ])
  func brokenInput(text: String, message: String) async throws {
    let outcome = try await Self.serve(text) { _, _ in .body([1]) }
    #expect(outcome.error == .malformed(message))
    #expect(!outcome.lines.contains { $0.contains("done") })
  }

  @Test("A file that cannot be created fails the shard, which may be repeated")
  func unwritable() async throws {
    let text = Self.input(["http://example.org/a"]).replacing("TAR", with: "/proc/none/x.tar")
    let outcome = try await Self.serve(text) { _, _ in .body([1]) }
    guard case .failed = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(outcome.lines.last?.hasPrefix(#"{"failed":true,"shard":1"#) == true)
  }

  @Test("The tar file is not written through a symbolic link")
  func linkedTar() async throws {
    let folder = try TemporaryFolder()
    let victim = try folder.write("victim", Array("mine".utf8))
    let link = folder.path + "/link.tar"
    #expect(symlink(victim, link) == 0)
    let text = Self.input(["http://example.org/a"]).replacing("TAR", with: link)
    let outcome = try await Self.serve(text) { _, _ in .body([1]) }
    guard case .failed = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(try FileSystem.contents(of: victim, limit: 100) == Array("mine".utf8))
  }

  @Test("A full disk fails the shard, and the report says so")
  func fullDisk() async throws {
    let text = Self.input(["http://example.org/a"]).replacing("TAR", with: "/dev/full")
    let outcome = try await Self.serve(text) { _, _ in .body([1]) }
    guard case .failed(let reason) = outcome.error else {
      Issue.record("\(String(describing: outcome.error))")
      return
    }
    #expect(reason.contains("No space left on device"))
    #expect(outcome.lines.last?.contains("No space left on device") == true)
  }

  @Test("With one transfer at a time the order is kept, also of samples that fail at once")
  func oneTransfer() async throws {
    let urls = [
      "http://example.org/missing", "", "x", "http://example.org/missing", "",
      "http://example.org/a",
    ]
    let outcome = try await Self.serve(Self.input(urls, #","thread_count":1"#)) { url, _ in
      url.description.hasSuffix("missing") ? .status(404) : .body([1])
    }
    for (index, line) in outcome.lines.dropLast().enumerated() {
      #expect(line.hasPrefix(#"{"i":\#(index),"#))
    }
    #expect(outcome.lines.count == 7)
  }

  @Test("Temporary statuses are repeated, unless the server asks for a wait beyond the deadline")
  func temporaryStatuses() async throws {
    let urls = (0..<5).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(Self.input(urls, #","retries":1,"sample_deadline":1000"#)) {
      url, attempt in
      guard attempt == 1 else { return .body([1]) }
      switch url.description.last {
      case "0": return .status(503)
      case "1": return .status(429, fields: HTTPFields(["Retry-After": "0"]))
      case "2": return .status(429, fields: HTTPFields(["Retry-After": "2000"]))
      case "3":
        return .status(
          429, fields: HTTPFields(["Retry-After": "Tue, 01 Jul 2025 10:00:00 GMT"]))
      default:
        return .status(
          429, fields: HTTPFields(["Retry-After": "Fri, 01 Jul 2095 10:00:00 GMT"]))
      }
    }
    for index in [0, 1, 3] { #expect(outcome.lines[index].contains("success")) }
    for index in [2, 4] {
      #expect(outcome.lines[index].contains("HTTP Error 429: Too Many Requests"))
    }
  }

  @Test("A sample is decoded again if its worker died, and fails if it dies again")
  func deadDecoder() async throws {
    let urls = ["http://example.org/once", "http://example.org/twice"]
    let renderer = FakeRenderer { text, attempt in
      text == "twice" || attempt == 1 ? RenderError(.worker, "died", workerCause: .died) : nil
    }
    let transport = FakeTransport { url, _ in
      .body(Array((url.description.split(separator: "/").last ?? "").utf8))
    }
    let outcome = try await Self.serve(Self.input(urls), transport, renderer)
    #expect(outcome.error == nil)
    #expect(outcome.lines[0].contains("success"))
    #expect(outcome.lines[1].contains("the decoder failed"))
  }

  @Test(
    "Decoders that do not start fail the shard, which is not committed",
    arguments: [RenderError.WorkerCause.unavailable, .died])
  func brokenDecoders(cause: RenderError.WorkerCause) async throws {
    let urls = (0..<100).map { "http://example.org/\($0)" }
    let renderer = FakeRenderer { _, _ in RenderError(.worker, "no helper", workerCause: cause) }
    let outcome = try await Self.serve(
      Self.input(urls), FakeTransport { url, _ in .body(Array(url.description.utf8)) }, renderer)
    #expect(outcome.error == .failed("the decoders do not work: no helper"))
    #expect(
      outcome.lines.last
        == #"{"failed":true,"shard":1,"error":"the decoders do not work: no helper"}"#)
  }

  @Test("The time for a decoding does not include the time of waiting for it")
  func timeToDecode() async throws {
    let renderer = FakeRenderer()
    let urls = (0..<8).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(
      Self.input(urls, #","sample_deadline":7"#),
      FakeTransport { url, _ in .body(Array(url.description.utf8)) }, renderer)
    #expect(outcome.error == nil)
    #expect(renderer.granted.withLock { $0 } == Array(repeating: 7, count: 8))
  }

  @Test("An image that is not decoded in time fails alone")
  func slowDecoder() async throws {
    let renderer = FakeRenderer { text, _ in
      text.hasSuffix("/3") ? RenderError(.worker, "late", workerCause: .timedOut) : nil
    }
    let urls = (0..<8).map { "http://example.org/\($0)" }
    let outcome = try await Self.serve(
      Self.input(urls), FakeTransport { url, _ in .body(Array(url.description.utf8)) }, renderer)
    #expect(outcome.lines[3].contains("the image was not decoded in time"))
    #expect(outcome.lines.last?.contains(#""successes":7"#) == true)
  }

  @Test("Images that wait for their turn move to the disk and return unchanged")
  func spilling() async throws {
    // 60 bodies of 1 MiB wait for the first sample.
    let urls = (0..<61).map { "http://example.org/\($0)" }
    let big = [UInt8](repeating: 7, count: 1 << 20)
    let answers = { @Sendable (url: HTTPURL, attempt: Int) -> FakeTransport.Answer in
      if url.description.hasSuffix("/0") {
        return attempt < 40 ? .status(503) : .body([1])
      }
      return .body(big + Array(url.description.utf8))
    }
    for members in [
      #","retries":60,"sample_deadline":86400"#,
      #","retries":60,"sample_deadline":86400,"disable_all_reencoding":true,"extract_exif":false"#,
    ] {
      let outcome = try await Self.serve(Self.input(urls, members), answers)
      #expect(outcome.error == nil)
      #expect(outcome.lines.last?.contains(#""successes":61"#) == true)
      #expect(Self.names(outcome.tar).count == 122)
    }
  }
}
