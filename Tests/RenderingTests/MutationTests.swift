import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// M8 and P7: files of others with some bytes changed, through confined workers. Libarchive's method:
/// less than one byte in a hundred.
@Suite("Damaged files", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct MutationTests {
  private static let isLong = Machine.environment("IMGDL_LONG") != nil
  private static let seed = Machine.environment("IMGDL_SEED").flatMap { UInt64($0) } ?? 20_261

  @Test(
    "are pictures or have a reason; a worker may die of one, the program does not",
    arguments: ["image-rs", "exif-orientation", "pngsuite", "photos", "fuzzed-images"])
  func pictures(_ set: String) async throws {
    let files = Corpus.files(set).filter { !$0.hasSuffix(".txt") && !$0.hasSuffix(".md") }
    try await render(set, files, rounds: 50)
  }

  @Test("that are documents are pages or have a reason")
  func documents() async throws {
    try await render("pdf", Corpus.files("pdf", endingWith: [".pdf"]), rounds: 20)
  }

  /// - Parameter rounds: damaged copies of each file in a long run; otherwise one of every fifth.
  private func render(_ set: String, _ files: [String], rounds: Int) async throws {
    let renderer = WorkerPoolRenderer(.test())
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: Self.seed)
    var tally = Tally()
    for path in stride(from: 0, to: files.count, by: Self.isLong ? 1 : 5).map({ files[$0] }) {
      let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
      guard !bytes.isEmpty, bytes.count < 400_000 else { continue }
      var mutants: [String] = []
      for round in 0..<(Self.isLong ? rounds : 1) {
        mutants.append(try folder.file("\(round)", mutated(bytes, &generator)))
      }
      for (mutant, verdict) in await Verdict.all(of: mutants, side: 64, by: renderer) {
        #expect(!verdict.description.isEmpty)
        tally.count(verdict)
        if verdict.isWorkerFailure { try keep(mutant, of: path, verdict) }
      }
    }
    // Still there, and sound.
    let sound = try folder.file("sound", TestPicture.png(width: 9, height: 9))
    #expect(try await renderer.probe(sound).width == 9)
    await renderer.shutdown()
    print("figures: \(set): \(tally), seed \(Self.seed)")
  }

  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<max(1, Int.random(in: 0...(bytes.count / 100), using: &generator)) {
      let index = Int.random(in: bytes.indices, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    }
    return bytes
  }

  /// For the one who looks into it: into the folder that `IMGDL_MUTANTS` names.
  private func keep(_ mutant: String, of path: String, _ verdict: Verdict) throws {
    print("\(path): \(verdict)")
    guard let folder = Machine.environment("IMGDL_MUTANTS") else { return }
    let bytes = try FileSystem.contents(of: mutant, limit: 1 << 26)
    let name = path.dropFirst(Corpus.path.utf8.count + 1).replacing("/", with: "-")
    let target = "\(folder)/\(Self.seed)-\(CRC32.checksum(bytes))-\(name)"
    try FileSystem.replace(target, with: bytes.span.bytes, mode: 0o644, syncing: false)
  }
}

/// What came of damaged files.
private struct Tally: CustomStringConvertible {
  private var pictures = 0
  private var refused = 0
  private var stopped = 0
  private var died = 0

  mutating func count(_ verdict: Verdict) {
    if verdict.isPicture {
      pictures += 1
    } else if !verdict.isWorkerFailure {
      refused += 1
    } else if verdict.description.contains("not decoded within") {
      stopped += 1
    } else {
      died += 1
    }
  }

  var description: String {
    "\(pictures + refused + stopped + died) damaged files: \(pictures) pictures, \(refused) refused, "
      + "\(stopped) workers stopped, \(died) workers died"
  }
}
