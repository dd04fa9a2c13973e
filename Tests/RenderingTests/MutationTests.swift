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

  private func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<max(1, Int.random(in: 0...(bytes.count / 100), using: &generator)) {
      let index = Int.random(in: bytes.indices, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    }
    return bytes
  }

  @Test(
    "are pictures or have a reason; a worker may die of one, the program does not",
    arguments: ["image-rs", "exif-orientation", "pngsuite", "pdf"])
  func mutants(_ set: String) async throws {
    let files = Corpus.files(
      set, endingWith: [".jpg", ".jpeg", ".png", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".pdf"])
    let isDocument = set == "pdf"
    let rounds = Self.isLong ? (isDocument ? 20 : 50) : 1
    let step = Self.isLong ? 1 : 5
    let renderer = WorkerPoolRenderer(.test())
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: 20_261)
    var (deaths, hangs, count) = (0, 0, 0)
    for path in stride(from: 0, to: files.count, by: step).map({ files[$0] }) {
      let bytes = try FileSystem.contents(of: path, limit: 1 << 26)
      guard !bytes.isEmpty, bytes.count < 400_000 else { continue }
      var mutants: [String] = []
      for round in 0..<rounds {
        mutants.append(try folder.file("\(round)", mutated(bytes, &generator)))
      }
      for (_, verdict) in await Verdict.all(of: mutants, side: 64, by: renderer) {
        count += 1
        #expect(!verdict.description.isEmpty)
        guard verdict.isWorkerFailure else { continue }
        if verdict.description.contains("not decoded within") { hangs += 1 } else { deaths += 1 }
        print("\(path): \(verdict)")
      }
    }
    // Still there, and sound.
    let sound = try folder.file("sound", TestPicture.png(width: 9, height: 9))
    #expect(try await renderer.probe(sound).width == 9)
    await renderer.shutdown()
    print("\(set): \(count) damaged files, \(deaths) workers died, \(hangs) were stopped")
  }
}
