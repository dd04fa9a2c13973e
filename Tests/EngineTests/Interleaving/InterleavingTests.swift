import Foundation
import TestSupport
import Testing

@testable import Engine

/// Seeded interleavings of all verbs, each on the database and on the store in memory.
///
/// `IMGDL_LONG=1 swift test --filter InterleavingTests` plays 10,000; `IMGDL_SEED=N` plays one, and
/// `IMGDL_SEED=M-N` those from M to N.
@Suite(.timeLimit(.minutes(60)), .compactMapIssues(withScript)) struct InterleavingTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// In parts that are played beside each other.
  private static var seeds: [Range<UInt64>] {
    let all = chosenSeeds ?? 0..<(environment["IMGDL_LONG"] == nil ? 200 : 10_000)
    let width = (UInt64(all.count) + 7) / 8
    return stride(from: all.lowerBound, to: all.upperBound, by: Int(width)).map {
      $0..<min($0 + width, all.upperBound)
    }
  }

  private static var chosenSeeds: Range<UInt64>? {
    let ends = environment["IMGDL_SEED"]?.split(separator: "-").compactMap { UInt64($0) } ?? []
    guard let first = ends.first, let last = ends.last, first <= last else { return nil }
    return first..<last + 1
  }

  @Test(
    "However verbs, transfers and time interleave, both stores end as the script says",
    arguments: seeds)
  func interleavings(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      let script = InterleavingScript(seed: seed)
      await $currentScript.withValue(script) {
        do {
          try await play(script)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  private func play(_ script: InterleavingScript) async throws {
    let inMemory = try await outcomes(of: script, on: Lab(clock: ManualClock()))
    let lab = try await Lab.withDatabase(clock: ManualClock())
    let inDatabase = try await outcomes(of: script, on: lab)
    await lab.disk.close()
    for (database, memory) in zip(inDatabase, inMemory) {
      #expect(database == memory, "\(database)\ninstead of\n\(memory)")
    }
  }

  /// What was in the library when the script was over, and after everything had come to its end; without
  /// what depends on the timing.
  private func outcomes(
    of script: InterleavingScript, on lab: Lab
  ) async throws -> [InterleavingOutcome] {
    let interleaving = try await Interleaving(script, on: lab)
    try await interleaving.play()
    let midway = try await interleaving.outcome()
    try await interleaving.finish()
    let end = try await interleaving.outcome()
    if script.seed.isMultiple(of: 4) { try await interleaving.reopen() }
    return [midway, end]
  }
}

/// The script that is played, to be told with everything that goes wrong in it.
@TaskLocal private var currentScript: InterleavingScript?

private func withScript(_ issue: Issue) -> Issue? {
  guard let currentScript else { return issue }
  var issue = issue
  issue.comments.append("\(currentScript)")
  return issue
}
