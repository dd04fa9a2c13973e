import Models
import TestSupport
import Testing
@testable import Engine

/// Which URL of a content is tried next.
@Suite struct MirrorSelectionTests {
  private static let policy = RetryPolicy(retries: 2, delay: 8, ceiling: 60)

  private static func url(_ host: String) throws -> HTTPURL { try HTTPURL("http://\(host)/f") }

  private static func selection(_ mirrors: String...) throws -> MirrorSelection {
    var selection = MirrorSelection(.init(try url("a")))
    selection.add(try mirrors.map { MirrorSelection.Candidate(try url($0)) })
    return selection
  }

  /// An end of an attempt, and the URL and the wait that follow; no host means that none is left.
  struct Step: Sendable {
    let failure: MirrorSelection.Failure
    let host: String?
    let wait: Double

    init(
      _ kind: MirrorSelection.Failure.Kind, _ host: String?, wait: Double = 0,
      retryAfter: Double? = nil, gained: Int64 = 0
    ) {
      failure = .init(kind, cause: "\(kind)", retryAfter: retryAfter, gained: gained)
      (self.host, self.wait) = (host, wait)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    var testDescription: String { name }
  }

  private static let rows = [
    Row(
      name: "each URL is tried once, by priority",
      steps: [.init(.final, "b"), .init(.final, "c"), .init(.final, nil)]),
    Row(
      name: "a failure that may pass is tried again after the others",
      steps: [
        .init(.passing, "b"), .init(.final, "c"), .init(.final, "a", wait: 8),
        .init(.passing, "a", wait: 16), .init(.passing, nil),
      ]),
    Row(
      name: "URLs take turns while all of them may pass",
      steps: [
        .init(.passing, "b"), .init(.passing, "c"), .init(.passing, "a", wait: 8),
        .init(.passing, "b", wait: 8), .init(.passing, "c", wait: 8),
        .init(.passing, "a", wait: 16), .init(.passing, "b", wait: 16),
        .init(.passing, "c", wait: 16), .init(.passing, nil),
      ]),
    Row(
      name: "a server that asks for a wait is waited for, within the retries",
      steps: [
        .init(.waiting, "a", wait: 30, retryAfter: 30), .init(.waiting, "a", wait: 16),
        .init(.waiting, "b"), .init(.final, "c"), .init(.final, nil),
      ]),
    Row(
      name: "a server that breaks off is asked to continue while it makes progress",
      steps: [
        .init(.passing, "a", wait: 8, gained: 4_096), .init(.passing, "a", wait: 8, gained: 9_999),
        .init(.passing, "b", gained: 4_095), .init(.passing, "c"),
      ]),
    Row(
      name: "the URL that may be tried soonest comes first",
      steps: [
        .init(.passing, "b", retryAfter: 50), .init(.passing, "c", retryAfter: 20),
        .init(.passing, "c", wait: 8), .init(.final, "b", wait: 20), .init(.final, "a", wait: 50),
      ]),
  ]

  /// The clock stands still: a wait is one from the beginning.
  @Test("The next URL follows from the failures", arguments: rows)
  func table(row: Row) throws {
    var selection = try Self.selection("b", "c")
    for (number, step) in row.steps.enumerated() {
      let decision = selection.handle(step.failure, now: 0, policy: Self.policy, chance: 1)
      if let host = step.host {
        #expect(selection.current.url.host == host, "step \(number)")
        #expect(decision == .attempt(after: step.wait), "step \(number)")
      } else {
        #expect(decision == .fail, "step \(number)")
      }
    }
  }

  @Test("The wait of a URL passes while others are tried")
  func passingTime() throws {
    var selection = try Self.selection("b")
    let failure = MirrorSelection.Failure(.passing, cause: "x")
    _ = selection.handle(failure, now: 100, policy: Self.policy, chance: 1)
    let decision = selection.handle(
      .init(.final, cause: "y"), now: 105, policy: Self.policy, chance: 1)
    #expect(decision == .attempt(after: 3) && selection.current.url.host == "a")
  }

  @Test("Mirrors are added once, and bounded")
  func adding() throws {
    var selection = try Self.selection("a", "b", "b")
    #expect(selection.candidates.map(\.url.host) == ["a", "b"])
    selection.add(try (0..<99).map { MirrorSelection.Candidate(try Self.url("m\($0)")) })
    #expect(selection.candidates.count == MirrorSelection.limit)
  }

  @Test("The end names each URL that was tried, its cause, and no password")
  func summary() throws {
    var selection = try Self.selection("b")
    for cause in ["HTTP 404 Not Found", "the server refused the connection"] {
      _ = selection.handle(.init(.final, cause: cause), now: 0, policy: Self.policy, chance: 1)
    }
    #expect(
      selection.summary == "none of 2 URLs could be downloaded: http://a/f: HTTP 404 Not Found; "
        + "http://b/f: the server refused the connection")
    let long = try HTTPURL("http://a/" + String(repeating: "x", count: 5_000))
    #expect(MirrorSelection.text(long).count == 200)
  }

  @Test("Random failures end within the retries of all URLs", arguments: 0..<20)
  func ends(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var selection = try Self.selection("b", "c", "d")
    var count = 0
    while true {
      count += 1
      let kinds: [MirrorSelection.Failure.Kind] = [.final, .passing, .waiting]
      let failure = MirrorSelection.Failure(
        kinds.randomElement(using: &random) ?? .final, cause: "x",
        gained: Int64.random(in: 0..<4_096, using: &random),
        wasIdleTimeout: Bool.random(using: &random))
      let before = selection.current.url
      #expect(selection.current.cause == nil || count > 1)
      let decision = selection.handle(
        failure, now: Double(count), policy: Self.policy, chance: 0.5)
      #expect(selection.candidates.first { $0.url == before }?.cause == "x")
      guard case .attempt(let wait) = decision else { break }
      #expect((0...60).contains(wait))
    }
    #expect(count >= 4 && count <= 4 * 3)
  }
}
