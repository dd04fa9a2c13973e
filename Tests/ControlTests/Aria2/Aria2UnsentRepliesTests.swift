import Aria2
import Testing
import TestSupport
@testable import Control

@Suite struct Aria2UnsentRepliesTests {
  @Test("replies that clients do not read are limited together, and short ones are always sent")
  func limit() async throws {
    let limits = Aria2UnsentReplies.Limits(bytes: 0, openBytes: 2_000, shortBytes: 300)
    let replies = Aria2UnsentReplies(limits)
    let long = RPCReply.unavailable(String(repeating: "x", count: 700))
    let isRead = Watched(false)
    let sent = Watched<[Int]>([])
    func send(_ reply: RPCReply) async -> Int {
      await replies.send(reply) { reply in
        sent.update { $0.append(reply.body.count) }
        if reply.body.count > 700 { try? await isRead.until { $0 } }
        return reply.body.count
      }
    }
    let waiting = (0..<2).map { _ in Task { await send(long) } }
    try await sent.until { $0.count == 2 }
    // A third one would exceed the limit, so an error is sent.
    #expect(await send(long) < 300)
    #expect(await send(.unavailable("short")) < 300)
    isRead.update { $0 = true }
    for task in waiting { #expect(await task.value > 700) }
    #expect(await send(long) > 700)
  }
}
