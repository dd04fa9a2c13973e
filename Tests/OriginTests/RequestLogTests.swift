import Foundation
import HTTP1
import Origin
import Testing

@Suite("The request log")
struct RequestLogTests {
  @Test("has a line of JSON for each request, also of those that fail")
  func file() throws {
    let folder = try ScratchFolder()
    try folder.write("ten", "0123456789")
    let path = folder.path + "/log"
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.logFile = path
    let server = try OriginServer(configuration)
    let client = try RawClient(port: server.port)
    client.get("/ten", "Range: bytes=3-\r\n")
    _ = client.response()
    client.get("/a%22b\"c\\d")
    _ = client.response()
    client.send("nonsense\u{1}\r\n\r\n")
    _ = client.response()
    server.stop()

    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let entries = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(entries.count == 3)
    #expect(entries[0]["seq"] as? Int == 1)
    #expect(entries[0]["connection"] as? Int == 0)
    #expect(entries[0]["method"] as? String == "GET")
    #expect(entries[0]["target"] as? String == "/ten")
    #expect(entries[0]["range"] as? String == "bytes=3-")
    #expect(entries[0]["status"] as? Int == 206)
    #expect(entries[0]["bytes"] as? Int == 7)
    #expect(entries[0]["completed"] as? Bool == true)
    let start = try #require(entries[0]["wallStart"] as? Double)
    let end = try #require(entries[0]["wallEnd"] as? Double)
    #expect(abs(start / 1_000 - Date().timeIntervalSince1970) < 600)
    #expect(end >= start)
    #expect(entries[1]["target"] as? String == "/a%22b\"c\\d")
    #expect(entries[1]["range"] is NSNull)
    #expect(entries[2]["status"] as? Int == 400)
    #expect(server.log.entries.count == 3)
  }

  @Test("reports a response to a client that disconnects as incomplete")
  func disconnect() async throws {
    let folder = try ScratchFolder()
    try folder.write("large", [UInt8](repeating: 1, count: 30_000_000))
    let server = try OriginServer(OriginConfiguration(folder: folder.path))
    let client = try RawClient(port: server.port)
    client.get("/large")
    _ = client.response(headOnly: true)
    client.close()
    let entry = await server.log.entries(count: 1)[0]
    #expect(!entry.isComplete)
    #expect(entry.bytes < 30_000_000)
  }

  @Test("that cannot be written is an error at the start")
  func unwritable() throws {
    let folder = try ScratchFolder()
    var configuration = OriginConfiguration(folder: folder.path)
    configuration.logFile = folder.path + "/missing/log"
    #expect(throws: OriginError.self) { try OriginServer(configuration) }
  }
}
