import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

@Suite(
  "The corpus through workers",
  .enabled(if: Corpus.folder != nil, "the corpus is not beside the project (IMGDL_CORPUS)"))
struct CorpusThroughWorkersTests {
  /// The outcome of each file: nil for a picture.
  private func outcomes(_ files: [String], side: Int) async -> [(path: String, error: RenderError?)]
  {
    let renderer = WorkerPoolRenderer(.test())
    let results = await withTaskGroup(of: (Int, RenderError?).self) { group in
      for (index, path) in files.enumerated() {
        group.addTask {
          do throws(RenderError) {
            let result = try await renderer.render(RenderJob(path: path, sides: [side]))
            return (index, result.renditions.count == 1 ? nil : RenderError(.worker, "no picture"))
          } catch {
            return (index, error)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    await renderer.shutdown()
    return files.indices.map { (files[$0], results[$0] ?? nil) }
  }

  @Test(
    "gives a picture or a reason for every file, and every worker lives",
    arguments: ["image-rs", "fuzzed-images", "pngsuite", "pdf"])
  func pictureOrReason(_ set: String) async throws {
    let files = Corpus.files(set)
    #expect(files.count > 40)
    let outcomes = await outcomes(files, side: 128)
    for (path, error) in outcomes {
      guard let error else { continue }
      #expect(!error.detail.isEmpty, "\(path)")
      #expect(error.code != .worker, "\(path): \(error)")
    }
    #expect(outcomes.contains { $0.error == nil } || set == "fuzzed-images")
  }
}
