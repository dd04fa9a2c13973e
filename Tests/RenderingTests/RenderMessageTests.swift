import CLinux
import Glibc
import Models
import RenderMessages
import Rendering
import SystemCalls
import Testing
import WorkerProcess

@Suite("Messages of the render workers") struct RenderMessageTests {
  private let limits = RenderLimits(side: 1, pixels: 2, pages: 3)
  private let info = DocumentInfo(
    format: .pdf, width: 612, height: 792, pageCount: 3, hasAlpha: false, isAnimated: true)
  /// A frame header, and what the program does not look at.
  private func jpegBytes(width: Int) -> [UInt8] {
    [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, UInt8(width >> 8), UInt8(width & 0xff), 1, 1, 0x11, 0]
  }

  private func request(_ sides: [Int]) -> RenderRequest {
    RenderRequest(operation: .render(page: 2, sides: sides, quality: 85), limits: limits)
  }

  private func reply(_ sizes: [Int]) -> RenderReply {
    .result(
      RenderResult(
        info: info,
        renditions: sizes.map {
          Rendition(format: .jpeg, width: $0, height: 1, bytes: jpegBytes(width: $0))
        }))
  }

  /// What the program makes of an answer, whose pictures went through memory or with it.
  private func received(
    _ reply: RenderReply, to request: RenderRequest, throughMemory: Bool = true
  ) throws -> RenderReply {
    guard throughMemory else { return try RenderReply(reply.frame(), to: request, of: .pdf) }
    let memory = try RenditionMemory(capacity: request.memoryCapacity)
    let theirs = try #require(try RenditionMemory(memory.frame))
    return try RenderReply(reply.frame(theirs), to: request, of: .pdf, memory)
  }

  @Test("are decoded as they were encoded")
  func roundTrip() throws {
    let (file, _) = try Channels.pipe()
    let probe = RenderRequest(operation: .probe, limits: limits)
    for request in [request([256, 1_024]), probe] {
      #expect(try RenderRequest(request.frame(file)) == request)
    }
    let reply = reply([256, 100])
    for throughMemory in [false, true] {
      #expect(
        try received(reply, to: request([256, 100]), throughMemory: throughMemory) == reply)
    }
    let large = RenderReply.large(100_000)
    #expect(try RenderReply(large.frame(), to: request([256]), of: .pdf) == large)
    let failure = RenderReply.failure(RenderError(.truncated, "cut"))
    #expect(try received(failure, to: request([1])) == failure)
    let remarked = RenderReply.result(
      RenderResult(
        info: info,
        renditions: [Rendition(format: .jpeg, width: 1, height: 1, bytes: jpegBytes(width: 1))],
        remark: "it has no end marker"))
    #expect(try received(remarked, to: request([1])) == remarked)
  }

  @Test("that are cut anywhere are malformed")
  func cut() throws {
    let request = request([256])
    for throughMemory in [false, true] {
      let memory = throughMemory ? try RenditionMemory(capacity: request.memoryCapacity) : nil
      let frame = reply([256]).frame(memory)
      for count in frame.payload.indices {
        let error = #expect(throws: WorkerError.self) {
          try RenderReply(
            Frame(kind: frame.kind, payload: Array(frame.payload.prefix(count))), to: request,
            of: .pdf, memory)
        }
        #expect(error?.code == .malformed)
      }
    }
  }

  @Test("that answer another question are malformed", arguments: [[], [257], [256, 256], [0]])
  func lies(_ sizes: [Int]) throws {
    for throughMemory in [false, true] {
      #expect(throws: WorkerError.self) {
        try received(reply(sizes), to: request([256]), throughMemory: throughMemory)
      }
    }
  }

  @Test(
    "that want memory which no picture of the question needs are malformed",
    arguments: [0, -1, 1 << 28, Int.max])
  func wishes(_ size: Int) throws {
    let wish = RenderReply.large(size).frame()
    let error = #expect(throws: WorkerError.self) {
      try RenderReply(wish, to: request([256]), of: .pdf)
    }
    #expect(error?.code == .malformed)
    let usual = RenderReply.large(100_000).frame()
    let probe = RenderRequest(operation: .probe, limits: limits)
    #expect(throws: WorkerError.self) { try RenderReply(usual, to: probe, of: .pdf) }
    // Nor twice.
    let memory = try RenditionMemory(capacity: 100_000)
    #expect(throws: WorkerError.self) {
      try RenderReply(usual, to: request([256]), of: .pdf, memory)
    }
  }

  @Test("with invalid images are malformed", arguments: [false, true])
  func notAPicture(_ throughMemory: Bool) throws {
    let rendition = Rendition(format: .jpeg, width: 1, height: 1, bytes: Array("<html>".utf8))
    let reply = RenderReply.result(RenderResult(info: info, renditions: [rendition]))
    #expect(throws: WorkerError.self) {
      try received(reply, to: request([256]), throughMemory: throughMemory)
    }
  }

  @Test("that point beyond the memory are malformed", arguments: [1 << 20, 1 << 40, -1, Int.max])
  func beyondMemory(_ count: Int) throws {
    let request = request([16])
    let memory = try RenditionMemory(capacity: 4_096)
    var frame = reply([16]).frame(memory)
    // The count stands last.
    frame.payload.replaceSubrange(
      (frame.payload.count - 8)...,
      with: withUnsafeBytes(of: Int64(count).littleEndian) { Array($0) })
    let error = #expect(throws: WorkerError.self) {
      try RenderReply(frame, to: request, of: .pdf, memory)
    }
    #expect(error?.code == .malformed)
  }

  @Test("whose memory the worker can still write to are refused")
  func heldMemory() throws {
    let request = request([16])
    let memory = try RenditionMemory(capacity: request.memoryCapacity)
    let frame = reply([16]).frame(memory)
    let mapped = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor.raw, 0)
    #expect(mapped != MAP_FAILED)
    let error = #expect(throws: WorkerError.self) {
      try RenderReply(frame, to: request, of: .pdf, memory)
    }
    #expect(error?.description.contains("still has a writable mapping") == true)
    munmap(mapped, 4_096)
    #expect(throws: Never.self) { try RenderReply(frame, to: request, of: .pdf, memory) }
  }

  @Test("cannot change their pictures once those were looked at, nor the memory's length ever")
  func sealed() throws {
    let request = request([16])
    let memory = try RenditionMemory(capacity: request.memoryCapacity)
    #expect(ftruncate(memory.descriptor.raw, 1) == -1)
    #expect(ftruncate(memory.descriptor.raw, 1 << 30) == -1)
    _ = try RenderReply(reply([16]).frame(memory), to: request, of: .pdf, memory)
    #expect(write(memory.descriptor.raw, "x", 1) == -1)
    let mapped = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor.raw, 0)
    #expect(mapped == MAP_FAILED)
  }

  @Test("carry no control characters of a worker to a terminal")
  func escaping() throws {
    let words = RenderReply.failure(RenderError(.damaged, "bad\u{1b}[31m\u{202e}\nline"))
    guard case .failure(let error) = try received(words, to: request([1])) else {
      Issue.record("no failure")
      return
    }
    #expect(error.detail == "bad\\u{1b}[31m\\u{202e} line")
  }
}

@Suite("The command line of a worker") struct WorkerArgumentsTests {
  @Test(
    "says what it said",
    arguments: [
      (WorkerArguments.work(worker: "b", .available), true), (.work(worker: "c", .none), false),
      (.breakOut(worker: "a"), true), (.breakOut(worker: "c"), false), (.libraries, true),
      (.decoders, true),
    ])
  func roundTrip(_ arguments: WorkerArguments, isKnown: Bool) {
    let understood = WorkerArguments(arguments.list, workers: ["a", "b"])
    #expect(understood == (isKnown ? arguments : nil))
  }

  @Test(
    "has no other words",
    arguments: [[], ["--worker"], ["--worker", "all"], ["--libraries", "x"]])
  func others(_ words: [String]) {
    #expect(WorkerArguments(words, workers: ["a", "b"]) == nil)
  }
}

@Suite("The list of decoders") struct DecoderListTests {
  private let list = DecoderList([
    DecoderSummary("fast", formats: [.jpeg, .png]),
    DecoderSummary(
      "slow", formats: [.jpeg, .pdf],
      sandbox: SandboxProfile(readsFonts: true, memoryBytes: 64 << 20)),
  ])

  @Test("comes out of its report as it went in")
  func roundTrip() { #expect(DecoderList(report: list.report) == list) }

  @Test(
    "is none where the report is another text",
    arguments: [
      "", "\n", "fast", "fast\tjpeg\t-", "fast\tjpeg\t-\tmuch", "\tjpeg\t-\t1",
      "fast\tjpeg,pictures\t-\t1", "fast\tjpeg\t-\t1\nslow",
    ])
  func others(_ report: String) { #expect(DecoderList(report: report) == nil) }

  @Test("is asked in its order, or only the decoder that was chosen, where it knows the format")
  func order() {
    #expect(list.order(for: .jpeg, choice: "auto") == ["fast", "slow"])
    #expect(list.order(for: .jpeg, choice: "slow") == ["slow"])
    #expect(list.order(for: .png, choice: "slow") == ["fast"])
    #expect(list.order(for: .svg, choice: "auto") == [])
    #expect(list.choices == ["auto", "fast", "slow"])
    #expect(list.first(choice: "auto") == "fast" && list.first(choice: "slow") == "slow")
  }
}
