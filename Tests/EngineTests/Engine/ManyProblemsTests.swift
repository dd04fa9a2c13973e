import LibraryAPI
import Manifests
import Models
import Testing
import TestSupport
import Threading
@testable import Engine

/// Lists of which next to nothing can be used.
@Suite(.timeLimit(.minutes(60))) struct ManyProblemsTests {
  @Test("Bad entries are handed over a thousand at a time, the first of them in words")
  func messages() async throws {
    let channel = ImportChannel()
    let queue = BlockingQueue("reading")
    async let done: Void = queue.run {
      defer { channel.endMessages() }
      var list = ListSender(
        name: "list.txt", base: nil, form: SourceForm(format: .text),
        limits: ManifestLimits(Settings().limits), channel: channel)
      let lines = Array(String(repeating: "ftp://h/x\n", count: 1_000).utf8)
      for _ in 0..<100 { try list.receive(lines.span.bytes) }
      try list.endList()
    }
    var (messages, count, sentences) = (0, 0, 0)
    for await message in channel.messages {
      if case .problems(let problems, let number) = message {
        messages += 1
        count += number
        sentences += problems.count
      }
      channel.releaseSlot()
    }
    try await done
    #expect(count == 100_000)
    #expect(messages == 100)
    #expect(sentences == AddResult.problemLimit)
  }
}
