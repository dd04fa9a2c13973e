import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport

@testable import Engine

/// Responses in place of a picture, and what the fields of a response say about its file.
@Suite(.timeLimit(.minutes(60))) struct UnusualResponseTests {
  private func stored(_ lab: Lab) async throws -> Resource {
    try #require(try await lab.allResources().first)
  }

  @Test(
    "A stream without end in place of a picture is given up after its first bytes",
    arguments: [
      ("video/mp2t", [UInt8](repeating: 0x47, count: 1 << 20)),
      ("application/octet-stream", [UInt8](repeating: 0x47, count: 1 << 20)),
      (
        "multipart/x-mixed-replace; boundary=f",
        Array("--f\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
          + [UInt8](repeating: 1, count: 1 << 20)
      ),
    ])
  func streams(_ type: String, _ body: [UInt8]) async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1)])
    var answer = FakeAnswer.file(body, type: type)
    answer.hasLength = false
    // Without the end of the transfer, the test would wait here.
    answer.bodyGates = [(after: 65_536, gate: Gate())]
    lab.web.serve(Lab.url(1), answer)
    try await lab.run()
    let resource = try await stored(lab)
    #expect(resource.state == .failed)
    #expect(resource.reason?.hasPrefix("the server sent a stream") ?? false, "\(resource)")
    #expect(lab.web.requests(for: Lab.url(1)).count == 1)
  }

  @Test("A picture is one whatever the type of its response, and another file may be a stream")
  func mistyped() async throws {
    let lab = try Lab()
    let film = "http://h/film"
    lab.serveList([Lab.url(1), film])
    lab.web.serve(Lab.url(1), .file(Lab.image(1), type: "video/mp2t"))
    lab.web.serve(film, .file([UInt8](repeating: 0x47, count: 4_096), type: "video/mp2t"))
    try await lab.run()
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
  }

  @Test(
    "A 202 with a text is tried again as the server asks, and one with a picture is the picture")
  func accepted() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), Lab.url(2)])
    let waiting = FakeAnswer(status: 202, body: Array("{\"state\":\"rendering\"}".utf8))
      .with("Retry-After", "1")
    lab.web.serve(Lab.url(1), waiting, waiting, .file(Lab.image(1)))
    var picture = FakeAnswer.file(Lab.image(2))
    picture.status = 202
    lab.web.serve(Lab.url(2), picture)
    try await lab.run()
    #expect(try await lab.allResources().map(\.state) == [.finished, .finished])
    #expect(lab.web.requests(for: Lab.url(1)).count == 3)
    #expect(lab.web.requests(for: Lab.url(2)).count == 1)
  }

  @Test("A file of a script has the name that its response suggests, and one with a name keeps it")
  func suggestedNames() async throws {
    let lab = try Lab()
    let script = "http://h/dl.php?id=7"
    lab.serveList([script, Lab.url(1)])
    let field = "attachment; filename=\"x.png\"; filename*=UTF-8''gr%C3%BCn%2Fam%20Fluss.png"
    lab.web.serve(script, FakeAnswer.file(Lab.image(7)).with("Content-Disposition", field))
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).with("Content-Disposition", field))
    try await lab.run()
    #expect(
      try await lab.allResources().map { $0.file?.name } == ["0001-am Fluss.png", "0002-1.png"])
  }

  @Test(
    "A file has the time of Last-Modified, unless the setting says otherwise",
    arguments: [true, false])
  func times(_ isKept: Bool) async throws {
    let lab = try Lab()
    lab.settings.network.lastModified = isKept
    lab.serveList([Lab.url(1)])
    lab.web.serve(
      Lab.url(1),
      FakeAnswer.file(Lab.image(1)).with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"))
    try await lab.run()
    let record = try #require(try await lab.records().first)
    let file = try #require(try await stored(lab).file)
    let status = try FileSystem.status(lab.layout.original(file, in: record))
    #expect((status.modified / 1_000_000_000 == 784_111_777) == isKept)
  }
}
