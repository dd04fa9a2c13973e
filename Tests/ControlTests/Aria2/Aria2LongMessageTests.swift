import Aria2
import LibraryAPI
import Models
import SystemCalls
import TestSupport
import Testing

@testable import Control

/// A message of many calls, between whose turns others are served.
@Suite(.timeLimit(.minutes(60))) struct Aria2LongMessageTests {
  private let folder: TemporaryFolder
  private let service: Aria2Service

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/.imgdl")
    let options = Aria2Interface(
      secret: nil, allowedOrigins: [], version: "0.1", downloads: FakeDownloads()
    ) { _ in }
    service = try Aria2Service(
      options, root: folder.path, library: FakeAria2Library(), clock: ManualClock())
  }

  private static let count = 1_000

  /// Additions of that many downloads.
  private static var message: [UInt8] {
    let calls = (1...count).map {
      #"{"methodName":"aria2.addUri","params":[["http://a.example/\#($0)"],{"pause":"true"}]}"#
    }
    let list = calls.joined(separator: ",")
    return Array(#"{"id":1,"method":"system.multicall","params":[[\#(list)]]}"#.utf8)
  }

  private func waitingCount() async -> Int? {
    let text = #"{"id":2,"method":"aria2.getGlobalStat"}"#
    let reply = await service.reply(to: Array(text.utf8), from: .request(bearer: nil))
    let parts = String(decoding: reply.body, as: UTF8.self).split(separator: #""numWaiting":""#)
    return parts.last.flatMap { Int($0.prefix { $0 != "\"" }) }
  }

  @Test("another client is served before a long message has ended")
  func others() async throws {
    let service = service
    let seen = Watched<[Int]>([])
    let reply = await service.reply(to: Self.message, from: .request(bearer: nil)) {
      if let count = await waitingCount() { seen.update { $0.append(count) } }
      return false
    }
    #expect(reply.httpStatus == 200)
    let first = try #require(seen.value.first)
    #expect((1..<Self.count).contains(first))
    #expect(await waitingCount() == Self.count)
    await service.stop()
  }

  @Test("the rest of a message is not performed when its client is gone")
  func gone() async throws {
    let reply = await service.reply(to: Self.message, from: .request(bearer: nil)) { true }
    #expect(reply.httpStatus == 503)
    let count = try #require(await waitingCount())
    #expect(count > 0 && count < Self.count)
    await service.stop()
  }

  @Test("the rest of a message is not performed when the server stops")
  func stopped() async throws {
    let service = service
    let reply = await service.reply(to: Self.message, from: .request(bearer: nil)) {
      await service.stop()
      return false
    }
    #expect(reply.httpStatus == 503)
  }

  @Test("a client has ended its input when it has closed the connection, and not before")
  func endOfInput() async throws {
    let loop = try SocketLoop("test", clock: SystemClock())
    let (near, far) = try Channels.socketPair()
    let id = try await loop.add(near)
    #expect(await !loop.hasInputEnded(id))
    far.close()
    #expect(await loop.hasInputEnded(id))
    await loop.shutDown()
  }
}
