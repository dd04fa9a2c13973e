import Foundation
import HTTP1
import Origin
import Testing

/// Half a header section ends a process that uses URLSession; never our program.
@Suite struct HalfHeaderTests {
  /// Runs our program, and with it the processes that use URLSession, on one processor. Before such a
  /// process ends, two of its threads wake each other without a pause: two of that kind have kept
  /// everything else from both processors of a machine for half a minute.
  private func run(_ words: [String], _ rig: Rig) async throws -> RunningProgram.Ending {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    return try await rig.shell(
      "exec taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') imgdl-cli \(line)")
  }

  @Test(
    "a server that closes during the header section fails its resource only",
    arguments: ["url-session", "socket"])
  func halfHeader(_ transport: String) async throws {
    try await Rig.run { rig in
      let picture = Sample.image(1)
      let server = try ScriptedServer { _, _, request in
        if request.head?.target == "/bad.png" {
          return [.sendString("HTTP/1.1 200 OK\r\nContent-Le"), .close]
        }
        return [.send(Reply.bytes((200, picture)))]
      }
      defer { server.stop() }
      let urls = (1...6).map { "\(server.url)\($0).png" } + [server.url + "bad.png"]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let ending = try await run(
        [
          "add", list, "--retry", "2", "--retry-delay", "10ms", "--set",
          "adapters.transport=\(transport)",
        ], rig)
      #expect(ending.code == 1, "\(ending.errors)")
      let resources = try await rig.resources()
      #expect(resources.map(\.status) == Array(repeating: "finished", count: 6) + ["failed"])
      #expect(ending.errors.contains("bad.png: "))
    }
  }

  @Test("with half headers now and then, everything arrives in the end")
  func nowAndThen() async throws {
    try await Rig.run {
      $0.faults = [FaultRate(.halfHeader, percent: 25)]
      $0.seed = 3
    } _: { rig in
      let list = try rig.write("list.txt", rig.serveImages("p", 12).joined(separator: "\n"))
      let ending = try await run(
        [
          "add", list, "--retry", "20", "--retry-delay", "10ms", "--set",
          "adapters.transport=url-session",
        ], rig)
      #expect(ending.code == 0, "\(ending.errors)")
      try await rig.expectOriginals()
      #expect(rig.wholeLog().contains { $0.fault == .halfHeader })
    }
  }
}
