import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// Random failures, by seed: `waitUntilIdle` always returns, and the invariants hold.
@Suite(.timeLimit(.minutes(60))) struct StressTests {
  private static let roundCount = Machine.environment("IMGDL_LONG") == nil ? 10 : 400

  @Test("Rounds of random failures, verbs and stops end with all invariants", arguments: 0..<20)
  func rounds(seed: Int) async throws {
    for round in 0..<Self.roundCount {
      var storm = try Storm(seed: UInt64(seed * 1_000 + round))
      for _ in 0..<Int.random(in: 1...3, using: &storm.random) {
        try await storm.blow(users: 1)
        if Bool.random(using: &storm.random) { try await storm.restart() }
      }
      try await storm.end()
    }
  }

  @Test("Many simultaneous users, with every verb, end with all invariants", arguments: 0..<20)
  func manyUsers(seed: Int) async throws {
    for round in 0..<Self.roundCount {
      var storm = try Storm(seed: UInt64(1_000_000 + seed * 1_000 + round))
      try await storm.blow(users: Int.random(in: 2...5, using: &storm.random))
      if Int.random(in: 0..<3, using: &storm.random) == 0 { try await storm.restart() }
      try await storm.blow(users: 2)
      try await storm.end()
    }
  }
}
