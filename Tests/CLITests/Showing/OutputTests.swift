import Foundation
import Origin
import TestSupport
import Testing

/// Data on standard output, messages on standard error, in forms that programs can rely on.
@Suite struct OutputTests {
  @Test("--json prints events as JSON lines with an ascending seq, and ends with a summary")
  func events() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 30) + [rig.url("none.png")]
      let ending = try await rig.imgdl(
        "add", "--json", try rig.write("list.txt", urls.joined(separator: "\n")))
      #expect(ending.code == 1)
      var last = 0
      var counts: [String: Int] = [:]
      for line in ending.output.split(separator: "\n") {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let object = try #require(value as? [String: Any])
        let event = try #require(object["event"] as? String)
        counts[event, default: 0] += 1
        guard event != "summary" else { continue }
        let seq = try #require(object["seq"] as? Int)
        #expect(seq == last + 1, "none is missing")
        last = seq
      }
      #expect(counts["record"] == 1)
      #expect(counts["started"] == 31)
      #expect(counts["finished"] == 30)
      #expect(counts["failed"] == 1)
      #expect(ending.output.split(separator: "\n").last?.contains(#""event":"summary""#) == true)
      #expect(!ending.errors.contains("Finished"), "no progress beside the events")
    }
  }

  @Test("-q prints only errors")
  func quiet() async throws {
    try await Rig.run { rig in
      let good = try await rig.imgdl("add", "-q", try rig.serveImages("a", 1)[0])
      #expect(good.output == "" && good.errors == "")
      let bad = try await rig.imgdl("add", "-q", try rig.write("list.txt", rig.url("none.png")))
      #expect(bad.code == 1)
      #expect(bad.output == "")
      #expect(bad.errors == "imgdl-cli: list: \(rig.url("none.png")): HTTP 404 Not Found\n")
    }
  }

  @Test("without a terminal the output has no animation and no colors")
  func plain() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", rig.serveImages("a", 3).joined(separator: "\n"))
      let ending = try await rig.imgdl("add", list)
      #expect(!ending.errors.contains("\u{1b}") && !ending.errors.contains("\r"))
      #expect(ending.output == "")
      #expect(ending.errors.contains("list: Finished"))
      #expect(ending.errors.contains("1 record: 3 of 3 finished"))
    }
  }

  @Test("--dry-run shows what would be downloaded, and leaves no files")
  func dryRun() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2)
      let source = try rig.serve("all.zip", Sample.manifest(["birds.json": urls]))
      let ending = try await rig.imgdl("add", "--dry-run", source)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.output == urls.map { "birds\t\($0)\n" }.joined())
      let bad = try await rig.imgdl(
        "add", "--dry-run", "gone.json", "--retry", "0", rig.url("none"))
      #expect(bad.code == 3)
      // A URL that answers 404 may be the base of a series.
      #expect(rig.wholeLog().map(\.target) == ["/all.zip", "/none", "/none/series"])
      let left = try await rig.shell("ls -A library tmp home 2>/dev/null | grep -v ':$' | grep .")
      #expect(left.output == "")
    }
  }

  @Test("details shows bytes and times that agree with the server's log")
  func details() async throws {
    try await Rig.run {
      $0.latency = .milliseconds(150)
    } _: { rig in
      let urls = try rig.serveImages("a", 4)
      #expect(
        try await rig.imgdl(
          "add", "-j", "1", try rig.write("list.txt", urls.joined(separator: "\n"))
        )
        .code == 0)
      let text = try await rig.imgdl("details", "list")
      #expect(text.output.hasPrefix("Image Details: list\n"))
      #expect(text.output.contains("8×8"))
      let csv = try await rig.imgdl("details", "list", "--csv").output.split(separator: "\n")
      #expect(csv.count == 5)
      #expect(csv[0] == "index,file,url,status,bytes,milliseconds,sha256,reason")
      let log = rig.wholeLog()
      for (index, resource) in try await rig.resources().enumerated() {
        let entry = log[index]
        #expect(resource.bytes == entry.bytes)
        #expect(resource.width == 8 && resource.height == 8 && resource.stage == nil)
        let time = try #require(resource.milliseconds)
        // The server's time of the exchange is in it; the machine may be busy.
        #expect(time >= (entry.end.monotonic - entry.start.monotonic) * 0.8)
        #expect(time < 1_500)
        #expect(csv[index + 1].hasPrefix("\(index + 1),list/"))
      }
    }
  }

  @Test("control sequences in titles, names and addresses are escaped on the terminal")
  func escapes() async throws {
    try await Rig.run { rig in
      let evil = "a\u{1b}]0;owned\u{7}b\u{9b}2Jc\u{202e}d"
      let list = try Sample.json([["url": rig.url("1.png"), "title": evil]])
      try rig.serve("1.png", Sample.image(1))
      let zip = ZipBuilder([
        .stored("\(evil).json", Array(list.utf8)),
        .stored("\(evil)2.json", Array("[\"\(evil)\"]".utf8)),
      ])
      let source = try rig.write("all.zip", zip.build())
      var texts: [String] = []
      for arguments in [
        ["add", source], ["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"],
        ["details", "1"], ["details", "1", "--csv"], ["add", "--dry-run", source],
        ["add", "--json", source], ["show", evil], ["add", evil], ["config", evil], [evil],
        ["remove", "1"],
      ] {
        let ending = try await rig.imgdl(arguments)
        texts.append(ending.output + ending.errors)
      }
      for text in texts {
        let bad = text.unicodeScalars.filter {
          ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7f..<0xa0).contains($0.value)
            || $0.value == 0x202e
        }
        #expect(bad.isEmpty, "\(text)")
      }
      #expect(texts[0].contains("owned"))
    }
  }

  @Test("config shows each setting with the layer that set it")
  func origins() async throws {
    try await Rig.run { rig in
      try rig.write("etc/imgdl/config.json", #"{"network": {"retries": 1, "maxRedirects": 2}}"#)
      try rig.write("home/.config/imgdl/config.json", "{network: {retries: 2,},} // mine")
      let ending = try await rig.imgdl(
        "config", "--set", "durability=relaxed",
        environment: ["IMGDL_RENDERING_QUALITY": "50"])
      #expect(ending.code == 0, "\(ending.errors)")
      let rows = ending.output.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      }
      func row(_ key: String) -> [String] { rows.first { $0.first == key } ?? [] }
      #expect(row("network.retries")[1...2] == ["2", rig.home + "/.config/imgdl/config.json"])
      #expect(row("network.maxRedirects")[1...2] == ["2", rig.root + "/etc/imgdl/config.json"])
      #expect(row("durability")[1...3] == ["\"relaxed\"", "flag", "--set"])
      #expect(row("rendering.quality")[1...3] == ["50", "environment", "IMGDL_RENDERING_QUALITY"])
      #expect(row("limits.pdfPages")[1...2] == ["2000", "built-in"])
      let json = try await rig.imgdl("config", "adapters.store", "--json")
      #expect(json.output.contains(#""value":"sqlite""#))
    }
  }
}
