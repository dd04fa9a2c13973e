import Foundation
import Origin
import SystemCalls
import TestSupport
import Testing

/// `API.md`, line by line, against a real imgdld.
@Suite struct TranscriptTests {
  /// If set, the test writes the received responses into the page and does not compare them.
  private static let isWriting = Machine.environment("IMGDL_WRITE_TRANSCRIPT") != nil

  @Test(
    "every example of API.md runs, and its response is as shown and as described",
    .enabled(if: FileSystem.isExecutable("/usr/bin/curl"), "curl is not installed"))
  func examples() async throws {
    let api = try APIDescription()
    let transcript = try Transcript()
    let stage = try DaemonStage { folder, url in
      for number in 1...3 {
        let picture = TestPicture.png(width: 32, height: 24, red: UInt8(number))
        try FileSystem.replace(
          "\(folder)/\(number).png", with: picture.span.bytes, syncing: false)
      }
      try FileSystem.replace(
        "\(folder)/birds.json", with: "[\"\(url)1.png\", \"\(url)2.png\", \"\(url)missing.png\"]")
    }
    defer { _ = stage.terminate() }
    // A list that is not there after all, and it takes the server a while to say so.
    let gate = try Origin.Gate()
    let slow = try ScriptedServer { _, _, _ in
      [.hold(gate), .sendString("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")]
    }
    try await stage.waits(for: "\"api\"", of: "/v1")
    var outputs: [String] = []
    for call in transcript.calls {
      let output = try await stage.shell(call.line, slow: slow.url + "long.json")
      outputs.append(Self.shown(output, stage, slow))
      if output.contains("\"sources\":[{") { gate.open() }
      let operation = try #require(api.operation(call.method, call.target), "\(call.line)")
      if output.hasPrefix("{"), let value = try? Node(json: output) {
        let status = Int(value["status"]?.double ?? 200)
        let type = status == 200 ? "application/json" : "application/problem+json"
        let problems = api.problems(
          operation, status: status, type: type, body: Array(output.utf8))
        #expect(problems == [])
      }
      if !Self.isWriting {
        #expect(Self.shape(output) == Self.shape(call.expected), "\(call.line)\n\(output)")
      }
      if call.method == "POST", !call.target.contains("pause"), !call.target.contains("batch") {
        try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
      }
    }
    #expect(gate.isOpen, "no example shows a source that is being read")
    if Self.isWriting { try Transcript.rewrite(outputs) }
  }

  /// As the page has it: nothing of the machine on which it was written.
  private static func shown(
    _ output: String, _ stage: DaemonStage, _ slow: ScriptedServer
  ) -> String {
    let text = output.replacing(stage.library, with: "/srv/pictures")
      .replacing(stage.origin.url, with: "http://localhost:8000/")
      .replacing(slow.url, with: "http://localhost:8001/")
    return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
  }

  @Test("API.md shows every operation")
  func everything() throws {
    let api = try APIDescription()
    let shown = Set(try Transcript().calls.compactMap { api.operation($0.method, $0.target) })
    #expect(api.operations.subtracting(shown) == [])
  }

  /// What stays the same from run to run: keys and kinds of JSON, words of anything else.
  private static func shape(_ output: String) -> String {
    if let value = try? Node(json: output), value.double == nil { return shape(value) }
    return output.split(separator: "\n").map { line in
      let word = line.prefix { $0 != " " && $0 != "{" }
      return word.allSatisfy { $0.isHexDigit } ? String(word) : String(word.prefix(5))
    }.filter { !$0.isEmpty }.first ?? ""
  }

  private static func shape(_ node: Node) -> String {
    switch node {
    case .null: "null"
    case .flag: "flag"
    case .number: "number"
    case .text: "text"
    case .list(let items): "[" + (items.first.map { shape($0) } ?? "") + "]"
    case .object(let members):
      "{"
        + members.filter { !volatile.contains($0.key) }.sorted { $0.key < $1.key }
        .map { "\($0.key): \(shape($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  /// There or not, as the network and the clock have it.
  private static let volatile: Set<String> = [
    "timings", "secondsLeft", "hosts", "active", "records",
  ]
}
