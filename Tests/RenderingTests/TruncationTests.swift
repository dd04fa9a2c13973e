import Models
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

/// M3: a file that was cut is a failure that says so, also where the library would make do. What could
/// be decoded may come with it.
@Suite("Files that were cut", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct TruncationTests {
  /// The smallest sound files of a format that are not trivial.
  private func samples(_ suffixes: [String], by renderer: WorkerPoolRenderer) async throws
    -> [String]
  {
    let files = Corpus.files("image-rs", endingWith: suffixes).filter { !$0.contains("/bad/") }
    var sized: [(path: String, size: Int64)] = []
    for path in files { sized.append((path, try FileSystem.status(path).size)) }
    var found: [String] = []
    for (path, size) in sized.sorted(by: { ($0.size, $0.path) < ($1.size, $1.path) })
    where size > 250 && found.count < 6 {
      if (try? await renderer.render(RenderJob(path: path, sides: [64]))) != nil {
        found.append(path)
      }
    }
    return found
  }

  @Test(
    "at any place are never taken for whole",
    arguments: [[".jpg", ".jpeg"], [".png"], [".webp"], [".gif"], [".tif", ".tiff"], [".bmp"]])
  func cut(_ suffixes: [String]) async throws {
    let renderer = WorkerPoolRenderer(.test())
    let folder = try ScratchFolder()
    let samples = try await samples(suffixes, by: renderer)
    #expect(samples.count >= 2)
    for sample in samples {
      let whole = try FileSystem.contents(of: sample)
      var counts = [1, 10, 50].map { whole.count * $0 / 100 }
      // The last bytes of these formats may be padding, or a remark.
      if ![".bmp", ".tif"].contains(suffixes[0]) {
        counts += [whole.count * 90 / 100, whole.count * 99 / 100, whole.count - 2]
      }
      for count in counts {
        let path = try folder.file("cut", Array(whole.prefix(count)))
        let job = RenderJob(path: path, sides: [64])
        let error = await renderer.failure(job)
        // All pixels may be there nevertheless, and then there is a remark.
        let mayBeComplete = [".jpg", ".png"].contains(suffixes[0])
        let remark = mayBeComplete ? try? await renderer.render(job).remark : nil
        #expect(error != nil || remark != nil, "\(sample): \(count) of \(whole.count)")
        #expect(error?.code != .worker, "\(sample): \(error?.detail ?? "")")
      }
    }
    await renderer.shutdown()
  }
}
