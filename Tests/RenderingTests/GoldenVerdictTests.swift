import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// Every image and document of the corpus through confined workers, against a list of what each is
/// expected to come to and why. A difference is a decision: look at it, then write the list anew with
/// `IMGDL_GOLDEN=write`.
@Suite("Verdicts", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct GoldenVerdictTests {
  private static let sets = [
    "exif-orientation", "flags", "fuzzed-images", "head-mr-studyforrest", "image-rs", "pdf",
    "photos", "pngsuite",
  ]

  private static var goldenPath: String {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.joined(separator: "/") + "/Golden/verdicts.txt"
  }

  private static func isText(_ path: String) -> Bool {
    ["/SOURCE.txt", "/LICENSE", "/README", ".md", ".json", "/README.md"].contains {
      path.hasSuffix($0)
    }
  }

  @Test("are those of the golden list, and no file costs a worker its life unexpectedly")
  func golden() async throws {
    let root = Corpus.path + "/"
    let files = Self.sets.flatMap { Corpus.files($0) }.filter { !Self.isText($0) }
    #expect(files.count > 1_000)
    let renderer = WorkerPoolRenderer(.test())
    let verdicts = await Verdict.all(of: files, by: renderer)
    await renderer.shutdown()
    let lines = files.sorted().map { path in
      "\(path.dropFirst(root.utf8.count))\t\(verdicts[path]?.description ?? "no verdict")"
    }
    if Machine.environment("IMGDL_GOLDEN") == "write" {
      let text = lines.joined(separator: "\n") + "\n"
      try FileSystem.replace(
        Self.goldenPath, with: Array(text.utf8).span.bytes, mode: 0o644, syncing: false)
    }
    let golden = String(
      decoding: try FileSystem.contents(of: Self.goldenPath, limit: 1 << 22), as: UTF8.self)
    let expected = Set(golden.split(separator: "\n").map(String.init))
    let found = Set(lines)
    for line in found.subtracting(expected).sorted() { Issue.record("new: \(line)") }
    for line in expected.subtracting(found).sorted() { Issue.record("not any more: \(line)") }
  }
}
