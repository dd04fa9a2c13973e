import Aria2
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// What users do with the records of the aria2 interface by other programs.
@Suite(.timeLimit(.minutes(60))) struct Aria2VerbTests {
  private let library = FakeAria2Library()
  private let folder: TemporaryFolder
  private let service: Aria2Service

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/.imgdl")
    let options = Aria2Interface(
      secret: nil, options: [(name: "max-concurrent-downloads", value: "1")], version: "0.1",
      downloads: FakeDownloads()
    ) { _ in }
    service = try Aria2Service(
      options, root: folder.path, library: library, clock: ManualClock())
  }

  private func call(_ method: String, _ parameters: String) async -> String {
    let text = #"{"id":1,"method":"aria2.\#(method)","params":[\#(parameters)]}"#
    let reply = await service.reply(to: Array(text.utf8), from: .request(bearer: nil))
    return String(decoding: reply.body, as: UTF8.self)
  }

  /// Returns when a download has a status.
  private func until(_ status: String, _ number: Int) async {
    let parameters = #""000000000000000\#(number)",["status"]"#
    while await !call("tellStatus", parameters).contains("\"\(status)\"") { await Task.yield() }
  }

  private func add(_ number: Int) async {
    let gid = "000000000000000\(number)"
    _ = await call("addUri", #"["http://a.example/\#(number)"],{"gid":"\#(gid)"}"#)
  }

  @Test("the cancellation of a record removes its downloads, also those that wait")
  func cancelling() async throws {
    let memory = MemoryLibrary()
    await service.start(memory)
    for number in 1...3 { await add(number) }
    try await library.calls.until { $0.contains("start 1") }
    await memory.emit(.cancelled(RecordID(2), count: 0))
    await memory.emit(.cancelled(RecordID(1), count: 1))
    for number in 1...3 { await until("removed", number) }
    try await library.calls.until { $0.contains("discard 1") }
    #expect(library.calls.value.filter { $0.hasPrefix("add") } == ["add http://a.example/1"])
    await service.stop()
  }

  @Test("a failed download that a user retries is active again, and ends again")
  func retrying() async throws {
    let memory = MemoryLibrary()
    await service.start(memory)
    await add(1)
    try await library.calls.until { $0.contains("start 1") }
    let (resource, record) = (ResourceID(1), RecordID(1))
    library.states.update { $0 = [resource: .failed(reason: "HTTP 404 Not Found")] }
    await memory.emit(.failed(resource, record: record, url: "", reason: ""))
    await until("error", 1)
    library.states.update { $0 = [resource: .unfinished] }
    await memory.emit(.retried(record, count: 1))
    await until("active", 1)
    library.states.update { $0 = [resource: .finished(path: "/library/aria2/1", byteCount: 1)] }
    await memory.emit(.finished(resource, record: record))
    await until("complete", 1)
    library.states.update { $0 = [resource: .unfinished] }
    await memory.emit(.reloading(record, count: 1))
    await until("active", 1)
    await service.stop()
  }
}
