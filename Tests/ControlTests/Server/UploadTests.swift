import LibraryAPI
import Models
import SystemCalls
import Synchronization
import Testing
import TestSupport
@testable import Control

@Suite("Uploads")
struct UploadTests {
  private static let type = "Content-Type: application/octet-stream"

  private func upload(
    _ stage: Stage, _ body: String, query: String = ""
  ) async throws -> UploadMessage {
    let answer = try #require(
      try await stage.ask(
        "POST", "/v1/sources/upload\(query)", body: body, fields: [Self.type]))
    try #require(answer.status == 200, "\(answer.text)")
    return try JSONText.decode(UploadMessage.self, from: answer.body)
  }

  private func files(_ stage: Stage) throws -> [String] {
    let folder = ConfinedFolder(stage.root)
    guard let list = try? folder.list(stage.root + "/.imgdl/incoming") else { return [] }
    return list.map(\.name)
  }

  @Test("are written to a file, which is added once and with its name")
  func add() async throws {
    try await withShelf { stage, _ in
      let text = String(repeating: "http://example.org/a.jpg\n", count: 200_000)
      let upload = try await upload(stage, text, query: "?name=C:%5Clists%5Cbirds.txt")
      #expect(upload.byteCount == Int64(text.utf8.count))
      #expect(try files(stage).count == 1)
      let body = "{\"upload\":\"\(upload.upload)\",\"lazy\":true}"
      let added = try await stage.ask("POST", "/v1/sources", body: body)
      #expect(added?.status == 200)
      let request = try #require(await stage.library.requests.last)
      #expect(request.name == "birds.txt" && request.isLazy)
      guard case .standardInput(let spool) = request.location else {
        Issue.record("no spool")
        return
      }
      #expect(try FileSystem.status(spool).size == Int64(text.utf8.count))
      #expect(try FileSystem.status(spool).mode == 0o600)
      let again = try await stage.ask("POST", "/v1/sources", body: body)
      #expect(again?.status == 410 && again?.code == "uploadGone")
    }
  }

  @Test("are previewed without being used up")
  func preview() async throws {
    let folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/library")
    let shelf = try await Shelf(folder.path + "/library")
    let store = shelf.store
    let seen = Mutex<[SourceRequest]>([])
    let reading = LibraryReading(root: shelf.root) { () throws(LibraryError) in
      store
    } settings: { () throws(LibraryError) in
      Settings()
    } preview: { request, emit in
      seen.withLock { $0.append(request) }
      for number in 1...30 {
        let list = (number - 1) / 20
        let record = PreviewEntry.Record(number: list, title: "list \(list)")
        let entry = PreviewEntry(record: record, url: "http://u:p@example.org/\(number)")
        for _ in 1...2 { emit(entry) }
      }
      return (1...25).map { "entry \($0): http://u:p@example.org/ is refused" }
    }
    let stage = try await Stage(in: folder, reading: reading)
    let upload = try await upload(stage, "x", query: "?name=a.json")
    for _ in 1...2 {
      let answer = try #require(
        try await stage.ask(
          "POST", "/v1/sources/preview", body: "{\"upload\":\"\(upload.upload)\"}"))
      let preview = try JSONText.decode(PreviewMessage.self, from: answer.body)
      #expect(preview.entryCount == 60 && preview.duplicateCount == 30)
      #expect(preview.recordCount == 2)
      #expect(preview.records.map(\.entries) == [40, 20])
      #expect(preview.records.map(\.title) == ["list 0", "list 1"])
      #expect(preview.examples.count == PreviewMessage.exampleLimit)
      #expect(preview.problems.count == PreviewMessage.problemLimit && preview.problemCount == 25)
      #expect(!answer.text.contains("u:p@"))
    }
    #expect(seen.withLock { $0.map(\.name) } == ["a.json", "a.json"])
    let missing = try await stage.ask(
      "POST", "/v1/sources/preview", body: #"{"upload":"0123456789abcdef"}"#)
    #expect(missing?.status == 410)
    let wrong = try await stage.ask("POST", "/v1/sources/preview", body: #"{"upload":"1"}"#)
    #expect(wrong?.status == 400)
    await stage.end()
    #expect(try files(stage).isEmpty)
  }

  @Test("beyond the limit, of another type or incomplete leave no file")
  func refused() async throws {
    var settings = Settings()
    settings.limits.resourceBytes = 1_000
    try await withShelf(settings) { stage, _ in
      let long = String(repeating: "x", count: 1_001)
      let large = try await stage.ask(
        "POST", "/v1/sources/upload", body: long, fields: [Self.type])
      #expect(large?.status == 413)
      let other = try await stage.ask(
        "POST", "/v1/sources/upload", body: "x", fields: ["Content-Type: text/plain"])
      #expect(other?.status == 415)
      let connection = try await RawConnection(stage)
      await connection.send(
        "POST /v1/sources/upload HTTP/1.1\r\nHost: localhost\r\n\(Self.type)\r\n"
          + "Content-Length: 9\r\n\r\nabc")
      await connection.finishSending()
      await connection.hangUp()
      await connection.close()
      #expect(try files(stage).isEmpty)
      let batch = try await stage.ask(
        "POST", "/v1/batch", body: #"{"calls":[{"method":"POST","path":"/v1/sources/upload"}]}"#)
      #expect(batch?.text.contains("\"status\":400") == true)
      let held = try await RawConnection(stage)
      await held.send(
        "POST /v1/sources/upload HTTP/1.1\r\nHost: localhost\r\n\(Self.type)\r\n"
          + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      #expect(await held.some() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      await held.send("abc")
      #expect(await held.answer()?.status == 200)
      await held.close()
    }
  }

  @Test(
    "are refused by their heads, before their bodies arrive",
    arguments: [
      ("", "Content-Type: text/plain", 415), ("", "Origin: http://evil.test\r\n\(type)", 403),
      ("?names=a", type, 400),
    ])
  func refusedHeads(query: String, fields: String, status: Int) async throws {
    try await withShelf { stage, _ in
      let connection = try await RawConnection(stage)
      await connection.send(
        "POST /v1/sources/upload\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
          + "Content-Length: 1000\r\n\r\n")
      #expect(await connection.answer()?.status == status)
      await connection.close()
      #expect(try files(stage).isEmpty)
    }
  }

  @Test(
    "have the last component of their path as name",
    arguments: [
      ("a.txt", "a.txt"), ("/etc/passwd", "passwd"), ("C:\\x\\y.zip", "y.zip"), ("", "upload"),
      ("..", "upload"), ("a/..", "upload"), ("x/", "x"),
    ])
  func names(text: String, name: String) {
    #expect(UploadName.cleaned(text) == name)
    #expect(UploadName.cleaned(String(repeating: "ü", count: 300)).utf8.count <= 255)
  }
}
