import Glibc
import Markup
import MarkupMessages
import MarkupSandbox
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A worker that reads markup") struct MarkupWorkerTests {
  /// Messages that no sound worker sends.
  struct Lie: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frames: [Frame]

    init(_ description: String, _ reports: ReadReport...) {
      self.init(description, frames: reports.map(\.frame))
    }

    init(_ description: String, frames: [Frame]) {
      (testDescription, self.frames) = (description, frames)
    }
  }

  private static let entry = MarkupItem.entry(MarkupEntry(url: "a.jpg"))
  private static let rule = ReadReport.items([.rule(.html)])

  private static func entry(_ change: (inout MarkupEntry) -> Void) -> ReadReport {
    var entry = MarkupEntry(url: "a.jpg")
    change(&entry)
    return .items([.rule(.html), .entry(entry)])
  }

  static let allLies = [
    Lie("an item before the rule", .items([entry])),
    Lie("the end before the rule", .end),
    Lie("a second rule", rule, rule),
    Lie("a list without items", rule, .items([])),
    Lie("more items than allowed", rule, .items(Array(repeating: entry, count: 1_200))),
    Lie("more problems than allowed", rule, .items(Array(repeating: .problem("x"), count: 1_200))),
    Lie("a remark about the line 0", .items([.rule(.html), .remark("x", line: 0)])),
    Lie(
      "more remarks than allowed", rule,
      .items(Array(repeating: .remark("x", line: 1), count: 1_200))),
    Lie("a negative size", entry { $0.byteCount = -1 }),
    Lie(
      "a URL that is too long",
      entry { $0.url = String(repeating: "u", count: MarkupItem.maximumURLLength + 1) }),
    Lie(
      "a title that is too long",
      entry { $0.title = String(repeating: "t", count: MarkupItem.maximumTextLength + 1) }),
    Lie("too many mirrors", entry { $0.mirrors = Array(repeating: "m", count: 17) }),
    Lie("a reason that only the program gives", .fail(.visitor, "x")),
    Lie("the reason of another worker", .fail(.worker, "x")),
    Lie("a report of an unknown kind", frames: [Frame(kind: 99)]),
    Lie("an item of an unknown kind", frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 99])]),
    Lie("half an item", frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 4, 5, 0, 0])]),
    Lie(
      "a text that is not UTF-8",
      frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 3, 1, 0, 0, 0, 0xff])]),
    Lie("an unknown rule", frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0x61])]),
    Lie(
      "a link of an unknown kind",
      frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 5, 1, 0, 0, 0, 0x61, 9])]),
    Lie("bytes after an item", frames: [Frame(kind: 12, payload: [0])]),
  ]

  private func read(
    _ worker: BadMarkupWorker,
    _ request: MarkupRequest = MarkupRequest(limits: MarkupLimits(items: 10))
  ) throws -> [MarkupItem] {
    let path = try worker.folder.write("page.html", Array("<img src=a.jpg>".utf8))
    var items: [MarkupItem] = []
    try worker.reader.read(try FileSystem.open(path), request) { (batch) throws(MarkupError) in
      items += batch
    }
    return items
  }

  /// Returns the error of the first reading; the second one has to succeed, with another worker.
  private func failure(_ worker: BadMarkupWorker) throws -> MarkupError? {
    let error = #expect(throws: MarkupError.self) { _ = try read(worker) }
    #expect(try read(worker) == [.rule(.html), .entry(MarkupEntry(url: "a.jpg"))])
    #expect(try worker.started.count == 2)
    for description in [error?.description].compactMap({ $0 }) { expectSentence(description) }
    return error
  }

  @Test("costs one document when it lies, and the next document is read", arguments: Self.allLies)
  func lies(_ lie: Lie) throws {
    let worker = try BadMarkupWorker(
      "\(BadMarkupWorker.sends); exec sleep 1000", answer: lie.frames)
    let error = try failure(worker)
    #expect(error?.code == .worker, "\(error?.description ?? "")")
  }

  @Test("may not use another rule than the one that was demanded")
  func anotherRule() throws {
    let worker = try BadMarkupWorker(
      "\(BadMarkupWorker.sends); exec sleep 1000", answer: [Self.rule.frame])
    let error = #expect(throws: MarkupError.self) {
      _ = try read(worker, MarkupRequest(rule: .listing))
    }
    #expect(error?.code == .worker)
  }

  @Test(
    "costs one document when it ends, hangs or sends nonsense, and the error says how",
    arguments: [
      ("kill -SEGV $$", "killed by signal 11"), ("kill -ABRT $$", "killed by signal 6"),
      ("echo 'free(): invalid pointer' >&2; exit 3", "free(): invalid pointer"),
      ("\(BadMarkupWorker.sends); kill -SEGV $$", "killed by signal 11"),
      ("printf nonsensenonsense >&3; exec sleep 1000", "limit"),
      ("exec sleep 1000", "ten times the time of limits.markupSeconds (0.1 s)"),
      (
        "\(BadMarkupWorker.sends); exec sleep 1000",
        "ten times the time of limits.markupSeconds (0.1 s)"
      ),
    ])
  func ends(_ behaviour: String, _ words: String) throws {
    let worker = try BadMarkupWorker(behaviour, answer: [Self.rule.frame], seconds: 0.1)
    let error = try failure(worker)
    let isTimeout = words.contains("limits.markupSeconds")
    #expect(error?.code == (isTimeout ? .limit : .worker))
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    "that a limit ends is the error of the limit",
    arguments: [
      ("kill -XCPU $$", "limits.markupSeconds (20.0 s): its worker used up its processor time"),
      ("\(BadMarkupWorker.sends); kill -XCPU $$", "used up its processor time"),
      ("kill -9 $$", "its worker was killed (SIGKILL), as the kernel does when the machine"),
      (
        "exit \(WorkerService.memoryExitCode)",
        "needs more memory than its worker may use (1024 MiB"
      ),
      (
        "echo 'Fatal error: failed to allocate 9 bytes of memory with alignment 8' >&2; kill -ABRT $$",
        "needs more memory than its worker may use (1024 MiB"
      ),
    ])
  func limits(_ behaviour: String, _ words: String) throws {
    let worker = try BadMarkupWorker(behaviour, answer: [Self.rule.frame])
    let error = try failure(worker)
    #expect(error?.code == .limit)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("cannot fill the memory with items without end")
  func endless() throws {
    let worker = try BadMarkupWorker(
      "cat \"$here/rule\" >&3; while :; do \(BadMarkupWorker.sends); done",
      answer: [ReadReport.items(Array(repeating: Self.entry, count: 100)).frame])
    _ = try worker.folder.write("rule", Self.rule.frame.wireBytes)
    var count = 0
    let path = try worker.folder.write("page.html", [])
    let error = #expect(throws: MarkupError.self) {
      try worker.reader.read(
        try FileSystem.open(path), MarkupRequest(limits: MarkupLimits(items: 10_000))
      ) { (batch) throws(MarkupError) in count += batch.count }
    }
    #expect(error?.code == .worker)
    #expect(count <= 22_000)
    for process in try worker.started { #expect(kill(process, 0) == -1) }
  }

  @Test("is used again for the next document, and replaced after one that failed")
  func reuse() throws {
    let worker = try BadMarkupWorker("true")
    try FileSystem.makeFolders(worker.folder.path + "/once")
    for _ in 0..<5 { _ = try read(worker) }
    #expect(try worker.started.count == 1)
    #expect(throws: MarkupError.self) {
      _ = try read(worker, MarkupRequest(limits: MarkupLimits(bytes: 3)))
    }
    _ = try read(worker)
    #expect(try worker.started.count == 2)
  }

  @Test("is confined before it sees a document")
  func confined() throws {
    let worker = try BadMarkupWorker("true")
    try FileSystem.makeFolders(worker.folder.path + "/once")
    _ = try read(worker)
    let process = try #require(try worker.started.first)
    let status = String(
      decoding: try FileSystem.contents(of: "/proc/\(process)/status"), as: UTF8.self)
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
  }

  @Test("cannot hold the reader by sending one item after the other")
  func slow() throws {
    let worker = try BadMarkupWorker(
      "cat \"$here/rule\" >&3; while :; do sleep 0.1; \(BadMarkupWorker.sends); done",
      answer: [ReadReport.items([Self.entry]).frame], seconds: 0.3)
    _ = try worker.folder.write("rule", Self.rule.frame.wireBytes)
    let error = #expect(throws: MarkupError.self) {
      _ = try read(worker, MarkupRequest(limits: MarkupLimits(items: 100_000)))
    }
    #expect(
      error?.description.contains("limits.markupSeconds") == true, "\(String(describing: error))")
  }
}
