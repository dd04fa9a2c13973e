import Models
import Testing

@testable import Engine

@Suite struct ResumeProgressTests {
  private static let partial = PartialDownload(
    validator: Validator(entityTag: EntityTag("\"v1\"")), totalBytes: 300, bootID: "b",
    syncedBytes: 0)

  @Test(
    "Only bytes beyond every earlier state are a gain",
    arguments: [
      // The bytes at the beginning, those of earlier attempts, the states since, and the gain.
      (nil, 0, [100], 100), (50, 50, [120], 70), (50, 200, [120], 0), (50, 200, [230], 30),
      (50, 50, [0], 0), (50, 50, [120, 60], 70), (nil, 0, [], 0),
    ] as [(Int64?, Int64, [Int64], Int64)])
  func gains(start: Int64?, earlier: Int64, states: [Int64], gain: Int64) {
    var progress = ResumeProgress()
    progress.begin(with: ResumePointReader.Found(resumableByteCount: start))
    for state in states { progress.recordState(state, earlier: earlier) }
    #expect(progress.gained == gain)
    #expect(progress.longestState == max(start ?? 0, states.max() ?? 0))
  }

  @Test("Bytes that the attempt has received itself do not become its beginning")
  func continuesItself() {
    var progress = ResumeProgress()
    progress.begin(with: ResumePointReader.Found(continued: Self.partial, resumableByteCount: 50))
    progress.recordState(120, earlier: 50)
    progress.begin(with: ResumePointReader.Found(resumableByteCount: 120))
    progress.recordState(150, earlier: 50)
    #expect(progress.gained == 100)
    #expect(progress.continued == Self.partial)
  }
}
