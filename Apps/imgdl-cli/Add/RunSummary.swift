import Foundation
import Models
import SystemCalls

/// The result of a run of `experiment`, which the measured process writes to the file of `--summary`.
struct RunSummary: Codable, Sendable, Equatable {
  let requests: Int
  let failed: Int

  init(_ summary: Summary, _ counter: RequestCounter) {
    requests = counter.count
    failed = summary.counts.failed
  }

  func write(to path: String) throws {
    try FileSystem.replace(path, with: JSONOutput.line(self) + "\n", syncing: false)
  }

  static func read(_ path: String) throws -> RunSummary {
    try JSONDecoder().decode(RunSummary.self, from: Data(try FileSystem.contents(of: path)))
  }
}
