import Testing

@testable import TransportSocket

@Suite("Refused requests")
struct RefusalsTests {
  /// The number of refusals after which the request is not sent again.
  private func limit(
    _ refusal: HTTP2Refusal, hasAnswered: Bool = false, answers: (Int) -> Int = { _ in 0 }
  ) -> Int? {
    var refusals = Refusals()
    return (1...1_000).first {
      !refusals.count(refusal, hasAnswered: hasAnswered, answers: answers($0))
    }
  }

  @Test(
    "A request is sent three times again if the server answers nothing",
    arguments: [HTTP2Refusal.reset, .goAway, .unsent, .connectionLost, .http1Required])
  func withoutProgress(_ refusal: HTTP2Refusal) {
    #expect(limit(refusal) == 4)
  }

  @Test("A GOAWAY after other answers is no attempt, a lost connection is one")
  func answeredConnections() {
    for refusal in [HTTP2Refusal.goAway, .unsent, .misdirected] {
      #expect(limit(refusal, hasAnswered: true) == Refusals.maximum + 1)
    }
    for refusal in [HTTP2Refusal.reset, .connectionLost, .http1Required] {
      #expect(limit(refusal, hasAnswered: true) == 4)
    }
  }

  @Test("Answers to other requests in between allow more refusals, up to the maximum")
  func progress() {
    #expect(limit(.reset, answers: { $0 }) == Refusals.maximum + 1)
    // Three refusals without an answer follow after the tenth.
    #expect(limit(.reset, answers: { min($0, 10) }) == 13)
  }
}
