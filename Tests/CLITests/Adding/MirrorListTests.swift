import Foundation
import Testing

/// Lists with mirrors, from `add` to `export`.
@Suite struct MirrorListTests {
  @Test("a mirror replaces a dead URL, and is shown and exported")
  func mirror() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 2)
      let dead = "http://127.0.0.1:1/1.png"
      let path = try rig.write(
        "l.txt", "\(dead)\t\(urls[0])\n\(urls[1])\n\(dead)?x\t\(dead)?y\n out=z.png\n")
      let ending = try await rig.imgdl("add", path, "--set", "network.retries=0")
      #expect(ending.errors.contains("\(dead)?y"), "\(ending.errors)")
      let shown = try await rig.imgdl("show", "1")
      #expect(shown.output.contains("1: 1 mirror: \(urls[0])\n"), "\(shown.output)")
      #expect(shown.output.contains("none of 2 URLs could be downloaded: \(dead)?x: "))
      let rows = try await rig.imgdl("show", "1", "--json")
      let lines = rows.output.split(separator: "\n")
      #expect(
        lines.count == 3 && lines[0].contains("\"mirrors\":[\"\(urls[0])\"]"), "\(rows.output)")
      #expect(lines[0].contains("\"status\":\"finished\"") && !lines[1].contains("mirrors"))
      let export = try await rig.imgdl("export", "1", "--format", "aria2", "-o", "l.aria2")
      #expect(export.code == 0, "\(export.errors)")
      let text = try String(contentsOfFile: rig.root + "/l.aria2", encoding: .utf8)
      #expect(text.hasPrefix("\(dead)\t\(urls[0])\n"), "\(text)")
      let json = try await rig.imgdl("export", "1", "--format", "jsonl", "-o", "l.jsonl")
      #expect(json.code == 0, "\(json.errors)")
      let exported = try String(contentsOfFile: rig.root + "/l.jsonl", encoding: .utf8)
      #expect(exported.contains("\"mirrors\":[\"\(urls[0])\"]"), "\(exported)")
    }
  }
}
