import Archive
import ArchiveMessages
import ArchiveSandbox
import Glibc
import Models
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

@Suite("A worker that reads archives") struct ArchiveWorkerTests {
  private static func entry(
    _ name: String = "a", size: Int64? = 3, compressed: Int64? = nil
  ) -> Frame {
    UnpackEvent.entry(
      name: name, kind: .file, isEncrypted: false, compressedSize: compressed,
      uncompressedSize: size
    ).frame
  }

  /// Messages that no sound worker sends to somebody who wants all data.
  struct Lie: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let frames: [Frame]
  }

  private static let data = UnpackEvent.data([1, 2, 3]).frame

  static let allLies =
    [
      Lie(testDescription: "data before an entry", frames: [data]),
      Lie(testDescription: "the end of no entry", frames: [UnpackEvent.endEntry.frame]),
      Lie(
        testDescription: "a failure of no entry",
        frames: [UnpackEvent.failEntry(.damaged, "x").frame]),
      Lie(testDescription: "an entry in an entry", frames: [entry(), entry("b")]),
      Lie(testDescription: "the end in an entry", frames: [entry(), UnpackEvent.end.frame]),
      Lie(
        testDescription: "data without bytes",
        frames: [entry(), Frame(kind: data.kind), UnpackEvent.endEntry.frame]),
      Lie(testDescription: "a negative size", frames: [entry(size: -1)]),
      Lie(testDescription: "a negative packed size", frames: [entry(compressed: .min)]),
      Lie(
        testDescription: "a name that is too long",
        frames: [entry(String(repeating: "n", count: UnpackEvent.maximumNameBytes + 1))]),
      Lie(
        testDescription: "a name that is not text",
        frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 0xff, 0, 0, 0, 0])]),
      Lie(
        testDescription: "an entry of an unknown kind",
        frames: [Frame(kind: 11, payload: [1, 0, 0, 0, 0x61, 9, 0, 0, 0])]),
      Lie(testDescription: "half an entry", frames: [Frame(kind: 11, payload: [1, 0, 0, 0])]),
      Lie(testDescription: "an event of an unknown kind", frames: [Frame(kind: 99)]),
    ]
    + [ArchiveError.Code.limit, .overlap, .visitor, .worker].flatMap { code in
      [
        Lie(
          testDescription: "the reason \(code) for an archive",
          frames: [UnpackEvent.fail(code, "x", entryName: nil).frame]),
        Lie(
          testDescription: "the reason \(code) for an entry",
          frames: [entry(), UnpackEvent.failEntry(code, "x").frame]),
      ]
    }

  private func zip(_ folder: TemporaryFolder, _ names: [String] = ["a", "b"]) throws -> String {
    try folder.write(
      "good.zip", ZipBuilder(names.map { .deflated($0, Array("data of \($0)".utf8)) }).build())
  }

  /// The error of the first walk; the second one has to succeed.
  private func failure(_ worker: BadArchiveWorker) throws -> ArchiveError? {
    let path = try zip(worker.folder)
    let error = #expect(throws: ArchiveError.self) {
      try worker.reader.walk(path, visitor: EntryCollector())
    }
    let collector = EntryCollector()
    try worker.reader.walk(path, visitor: collector)
    #expect(collector.names == ["a", "b"] && collector.entries.allSatisfy(\.isWhole))
    #expect(try worker.started.count == 2)
    return error
  }

  @Test(
    "fails one archive when it sends false values, and the next archive is read",
    arguments: Self.allLies)
  func lies(_ lie: Lie) throws {
    let worker = try BadArchiveWorker(
      "\(BadArchiveWorker.sends); exec sleep 1000", answer: lie.frames)
    let error = try failure(worker)
    #expect(error?.code == .worker, "\(error?.detail ?? "")")
  }

  @Test(
    "fails one archive when it exits, hangs or sends invalid data, and the error says which",
    arguments: [
      ("kill -9 $$", "killed by signal 9"), ("kill -SEGV $$", "killed by signal 11"),
      ("echo 'free(): invalid pointer' >&2; exit 3", "free(): invalid pointer"),
      ("\(BadArchiveWorker.sends); kill -9 $$", "killed by signal 9"),
      ("printf nonsensenonsense >&3; exec sleep 1000", "limit"),
      ("exec sleep 1000", "ten times the time of limits.archiveSeconds (0.1 s)"),
      (
        "\(BadArchiveWorker.sends); exec sleep 1000",
        "ten times the time of limits.archiveSeconds (0.1 s)"
      ),
    ])
  func ends(_ behaviour: String, _ words: String) throws {
    let worker = try BadArchiveWorker(behaviour, answer: [Self.entry()], seconds: 0.1)
    let error = try failure(worker)
    #expect(error?.code == .worker)
    #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
  }

  @Test("has no say in numbers, limits, and names of files: those are the program's")
  func limits() throws {
    var policy = ArchivePolicy()
    policy.bytes = 1_000_000
    // Entries without end, of 100,000 bytes each and no size.
    let bytes = UnpackEvent.data([UInt8](repeating: 7, count: 100_000)).frame
    let worker = try BadArchiveWorker(
      "while :; do \(BadArchiveWorker.sends); done",
      answer: [Self.entry("../../x", size: nil), bytes, UnpackEvent.endEntry.frame])
    let path = try zip(worker.folder)
    let collector = EntryCollector()
    let error = #expect(throws: ArchiveError.self) {
      try GuardedArchiveReader(worker.reader, policy: policy).walk(path, visitor: collector)
    }
    #expect(error?.code == .limit)
    #expect(collector.entries.map(\.entry.index) == Array(0..<collector.entries.count))
    #expect(collector.byteCount <= 1_000_000)
    for process in try worker.started { #expect(kill(process, 0) == -1) }
  }

  @Test("is used again for the next archive, and replaced after one that is broken")
  func reuse() throws {
    let worker = try BadArchiveWorker("true")
    try FileSystem.makeFolders(worker.folder.path + "/once")
    let path = try zip(worker.folder)
    for _ in 0..<5 { try worker.reader.walk(path, visitor: EntryCollector()) }
    #expect(try worker.started.count == 1)
    // Wanted no more: the worker is as good as before.
    try worker.reader.walk(path, visitor: EntryCollector { _ in .stop })
    try worker.reader.walk(path, visitor: EntryCollector { _ in .skip })
    #expect(try worker.started.count == 1)
    let broken = try worker.folder.write("broken.zip", Array("PK\u{3}\u{4} broken".utf8))
    #expect(throws: ArchiveError.self) {
      try worker.reader.walk(broken, visitor: EntryCollector())
    }
    try worker.reader.walk(path, visitor: EntryCollector())
    #expect(try worker.started.count == 2)
    // The visitor's own error comes back unchanged.
    let own = ArchiveError(.visitor, "disk full")
    let error = #expect(throws: ArchiveError.self) {
      try worker.reader.walk(
        path, visitor: EntryCollector { (_) throws(ArchiveError) in throw own })
    }
    #expect(error == own)
  }

  @Test("is confined before it sees an archive")
  func confined() throws {
    let worker = try BadArchiveWorker("true")
    try FileSystem.makeFolders(worker.folder.path + "/once")
    try worker.reader.walk(try zip(worker.folder), visitor: EntryCollector())
    let process = try #require(try worker.started.first)
    let status = String(
      decoding: try FileSystem.contents(of: "/proc/\(process)/status"), as: UTF8.self)
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
  }

  @Test("costs little: figures of an archive of 1,000 entries")
  func cost() throws {
    let folder = try TemporaryFolder()
    let data = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 5) }
    let path = try folder.write(
      "many.zip", ZipBuilder((0..<1_000).map { .deflated("\($0).png", data) }).build())
    let small = try folder.write("one.zip", ZipBuilder([.deflated("1.png", data)]).build())
    for backend in ArchiveBackend.adapters {
      let reader = backend.reader
      try reader.walk(path, visitor: EntryCollector(keepsData: false))
      let many = try seconds { try reader.walk(path, visitor: EntryCollector(keepsData: false)) }
      let names = try seconds { try reader.walk(path, visitor: EntryCollector { _ in .skip }) }
      let one = try seconds { try reader.walk(small, visitor: EntryCollector(keepsData: false)) }
      print(
        "figures: \(backend.rawValue): 1,000 entries \(many * 1e3) ms, their names alone "
          + "\(names * 1e3) ms, an archive of one entry \(one * 1e3) ms")
    }
  }

  /// The best of five.
  private func seconds(_ body: () throws -> Void) throws -> Double {
    var best = UInt64.max
    for _ in 0..<5 {
      let start = Machine.monotonicNanoseconds
      try body()
      best = min(best, Machine.monotonicNanoseconds - start)
    }
    return Double(best) / 1e9
  }
}
