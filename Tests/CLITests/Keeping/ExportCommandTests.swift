import Foundation
import SystemCalls
import Testing

/// `export` and `--failed-to`: what came of each URL, for other programs.
@Suite struct ExportCommandTests {
  private func withRecord(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2) + [rig.url("none.png")]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 1)
      try await body(rig)
    }
  }

  @Test("rows of a record as CSV and as JSON lines, to standard output or to a file")
  func formats() async throws {
    try await withRecord { rig in
      let csv = try await rig.imgdl("export", "list", "--format", "csv")
      #expect(csv.code == 0 && csv.errors == "")
      let rows = csv.output.components(separatedBy: "\r\n")
      try #require(rows.count == 5 && rows.last == "")
      #expect(
        rows[0]
          == "url,file,sha256,status,reason,bytes,ms,title,md5,sha1,sha224,sha384,sha512")
      let cells = rows[1].components(separatedBy: ",")
      #expect(cells[0] == rig.url("a-1.png") && cells[1] == "list/0001-a-1.png")
      let digest = try Rig.digest(rig.library + "/list/0001-a-1.png")
      #expect(cells[2] == digest)
      #expect(cells[3] == "finished" && cells[4] == "" && Double(cells[6]) ?? 0 > 0)
      #expect(rows[3].hasSuffix("none.png,,,failed,HTTP 404 Not Found,,,,,,,,"))

      let file = try await rig.imgdl("export", "1", "--format", "jsonl", "-o", "rows.jsonl")
      #expect(file.code == 0 && file.output == "", "\(file.errors)")
      let lines = try await rig.shell("cat rows.jsonl").output.split(separator: "\n")
      try #require(lines.count == 3)
      for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      #expect(lines[2].contains(#""reason":"HTTP 404 Not Found""#))
    }
  }

  @Test(
    "an export, of finished and other resources, can be added with the same names, fields and checksums",
    arguments: ["jsonl", "csv", "aria2"])
  func roundTrip(_ format: String) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("x", 2) + [rig.url("none.png")]
      let md5 = String(repeating: "0a", count: 16)
      let list = try rig.write(
        "list.jsonl",
        """
        {"url":"\(urls[0])","title":"a.png","headers":{"X-Key":"v"}}
        {"url":"\(urls[1])"}
        {"url":"\(urls[2])","title":"c.png","md5":"\(md5)"}
        """)
      #expect(try await rig.imgdl("add", list).code == 1)
      let file = "copy." + format
      #expect(try await rig.imgdl("export", "1", "--format", format, "-o", file).code == 0)
      let add = try await rig.shell("imgdl-cli add --library other \(file)")
      #expect(add.code == 1, "\(add.errors)")
      let names = try await rig.shell("cd other && ls */*.png | sed 's|.*/||'").output
      #expect(names == "0001-a.png\n0002-x-2.png\n", "\(add.errors)")
      let again = try await rig.shell("imgdl-cli export --library other 1 --format jsonl").output
      let rows = again.split(separator: "\n")
      try #require(rows.count == 3)
      #expect(rows[2].contains(#""md5":"\#(md5)""#) && rows[2].contains(#""title":"c.png""#))
      if format != "csv" { #expect(rows[0].contains(#""headers":{"X-Key":"v"}"#)) }
    }
  }

  @Test("an export beside a running engine, to an output that is cut, or that cannot be written")
  func outputs() async throws {
    try await withRecord { rig in
      try await rig.withFirst(held: 2) { _, _ in
        let rows = try await rig.imgdl("export", "held", "--format", "csv")
        #expect(rows.output.contains(",queued,"))
      }
      let command = "imgdl-cli export 1 --format csv"
      #expect(try await rig.shell("\(command) | head -1 > /dev/null").code == 0)
      #expect(try await rig.shell("\(command) -o /dev/stdout | wc -l").output == "4\n")
      for target in ["tmp", "none/x.csv", "/dev/full"] {
        let ending = try await rig.imgdl("export", "1", "--format", "csv", "-o", target)
        #expect(ending.code == 6, "\(target): \(ending.errors)")
      }
      for words in [
        ["export", "1"], ["export", "1", "--format", "xml"], ["export", "--format", "csv"],
      ] {
        #expect(try await rig.imgdl(words).code == 2)
      }
      #expect(try await rig.shell("ls x* *.part* 2>/dev/null").output == "")
    }
  }

  @Test("--failed-to writes the failed URLs, one per line, and add accepts the list")
  func failed() async throws {
    try await Rig.run { rig in
      let good = try rig.serveImages("a", 1)
      let bad = [rig.url("x.png"), rig.url("y.png?q=1")]
      let list = try rig.write("list.txt", (good + bad).joined(separator: "\n"))
      let add = try await rig.imgdl("add", list, "--failed-to", "failed.txt")
      #expect(add.code == 1, "\(add.errors)")
      #expect(try await rig.shell("cat failed.txt").output == bad.map { $0 + "\n" }.joined())
      try rig.serve("x.png", Sample.image(1))
      let again = try await rig.imgdl("add", "failed.txt", "--failed-to", "still.txt")
      #expect(again.code == 1, "\(again.errors)")
      #expect(try await rig.shell("cat still.txt").output == bad[1] + "\n")
      let retry = try await rig.imgdl("retry", "1", "--failed-to", "-")
      #expect(retry.code == 1 && retry.output == bad[1] + "\n")
      // A list of an earlier run is not left behind as if it were of this one.
      try rig.serve("y.png", Sample.image(2))
      let last = try await rig.imgdl("retry", "--failed-to", "still.txt")
      #expect(last.code == 0, "\(last.errors)")
      #expect(try await rig.shell("cat still.txt").output == "")
      let unwritable = try await rig.imgdl("resume", "--failed-to", "none/failed.txt")
      #expect(unwritable.code == 6, "\(unwritable.errors)")
    }
  }
}
