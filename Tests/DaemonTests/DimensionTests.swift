import Foundation
import Origin
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// The dimensions of an image that is being downloaded, wherever they are shown.
@Suite(
  .timeLimit(.minutes(60)),
  .enabled(if: FileSystem.isExecutable("/usr/bin/curl"), "curl is not installed"))
struct DimensionTests {
  @Test("The first bytes of an image tell its dimensions, which a complete file does not need")
  func dimensions() async throws {
    let gate = try Origin.Gate()
    let image = TestPicture.png(width: 320, height: 240, red: 1)
    let slow = try ScriptedServer { _, _, _ in
      [
        .sendString("HTTP/1.1 200 OK\r\nContent-Length: \(image.count)\r\n\r\n"),
        .send(Array(image.prefix(64))), .hold(gate), .send(Array(image.dropFirst(64))),
      ]
    }
    let stage = try DaemonStage()
    try await stage.waits(for: "\"api\"", of: "/v1")
    try FileSystem.replace(stage.folder.path + "/list.txt", with: slow.url + "a.png\n")
    let added = try await stage.shell(
      "curl -s --unix-socket $S http://localhost/v1/sources -H 'Content-Type: application/json' "
        + "-d '{\"file\":\"\(stage.folder.path)/list.txt\"}'")
    #expect(added.contains("\"records\":[1]"), "\(added)")
    try await stage.waits(for: "\"height\":240", of: "/v1/resources/1")
    let resource = try Node(
      json: try await stage.shell("curl -s --unix-socket $S http://localhost/v1/resources/1"))
    #expect(resource["width"]?.double == 320 && resource["state"]?.string == "queued")
    let view = try Node(
      json: try await stage.shell(
        "curl -s --unix-socket $S http://localhost/v1/records/1/views -d '{\"tiles\":1}' "
          + "-H 'Content-Type: application/json'"))
    // 64 × 320 ÷ 240 = 85 = 0x55
    #expect(view["tiles"]?["ratios"]?.string == "VQ==")
    let program = try HelperLocator().path(of: "imgdl-cli")
    let table = try await stage.shell("'\(program)' --library library show 1")
    #expect(table.contains("320 × 240"), "\(table)")

    gate.open()
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    let complete = try await stage.shell("curl -s --unix-socket $S http://localhost/v1/resources/1")
    #expect(complete.contains("\"finished\"") && !complete.contains("\"width\""), "\(complete)")
    #expect(try await stage.shell("'\(program)' --library library show 1").contains("kB"))
    #expect(stage.terminate().status == .code(0))
  }
}
