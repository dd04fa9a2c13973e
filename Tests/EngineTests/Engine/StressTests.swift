import Models
import Persistence
import ProgressTree
import Rendering
import TestSupport
import Testing
import Transport

@testable import Engine

/// Random weather, by seed: whatever happens, `waitUntilIdle` returns and the books are right.
@Suite(.timeLimit(.minutes(3))) struct StressTests {
  @Test("Two hundred rounds of random failures, verbs and stops end well", arguments: 0..<20)
  func rounds(seed: Int) async throws {
    for round in 0..<10 {
      var random = SeededGenerator(seed: UInt64(seed * 1_000 + round))
      try await playRound(&random, "seed \(seed), round \(round)")
    }
  }

  private func answer(
    _ url: String, _ count: Int, _ random: inout SeededGenerator
  ) -> FakeAnswer {
    let number = Int(url.split(separator: "/").last?.dropLast(4) ?? "") ?? 0
    let whole = FakeAnswer.file(Lab.picture(number))
    // The fourth attempt succeeds, so that a round ends.
    guard count < 3 else { return whole }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return FakeAnswer(status: 503)
    case 1: return FakeAnswer(status: 429).with("Retry-After", "2")
    case 2: return whole.cut(after: Int.random(in: 0...100, using: &random))
    case 3: return .failure(.connectionLost)
    case 4: return whole.with("ETag", "\"other\"").cut(after: 40)
    case 5: return number % 7 == 0 ? FakeAnswer(status: 404) : whole
    default: return whole
    }
  }

  private func playRound(_ random: inout SeededGenerator, _ what: String) async throws {
    let lab = try Lab()
    lab.settings.network.maxConcurrentDownloads = Int.random(in: 1...6, using: &random)
    lab.settings.network.maxPerHost = Int.random(in: 1...4, using: &random)
    let lists = (0..<3).map { list in
      (1...Int.random(in: 1...15, using: &random)).map { list * 100 + $0 }
    }
    serve(lab, lists, &random)
    var engine = try await lab.started()
    for step in 0..<Int.random(in: 3...8, using: &random) {
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        let list = Int.random(in: 0..<3, using: &random)
        _ = try? await engine.add(Lab.request("http://h/\(list).txt", again: step > 5))
      case 4: try await engine.setConcurrency(Int.random(in: 0...5, using: &random))
      case 5: _ = try await engine.retry()
      case 6:
        if let record = try await lab.records().randomElement(using: &random) {
          try? await engine.remove(record.id)
        }
      case 7:
        if Bool.random(using: &random) { await engine.interrupt() }
        await engine.stop()
        lab.newProcess()
        serve(lab, lists, &random)
        engine = try await lab.started()
      default:
        let count = Int.random(in: 1...10, using: &random)
        let current = engine
        let waiting = Task { try await current.waitUntilIdle() }
        if lab.web.activity.value.ended > count { waiting.cancel() }
        _ = try? await waiting.value
      }
    }
    try await engine.waitUntilIdle()
    let progress = engine.snapshot()
    let totals = try await lab.disk.totals()
    #expect(progress.active.isEmpty, "\(what)")
    #expect(totals.settled == totals.total, "\(what)")
    for record in progress.records {
      let row = try #require(try await lab.disk.record(record.id), "\(what)")
      #expect(record.finished == row.counts.finished, "\(what)")
      #expect(record.failed == row.counts.failed, "\(what)")
    }
    await engine.stop()
    try await lab.checkLibrary()
  }

  private func serve(_ lab: Lab, _ lists: [[Int]], _ random: inout SeededGenerator) {
    for (index, numbers) in lists.enumerated() {
      let urls = numbers.map { Lab.url($0, host: $0 % 2 == 0 ? "h" : "g") }
      lab.serveList(urls, at: "http://h/\(index).txt")
      for url in urls {
        let answers = (0..<4).map { answer(url, $0, &random) }
        lab.web.serve(url, answers[0], answers[1], answers[2], answers[3])
      }
    }
  }
}
