import Foundation
import SystemCalls
import TestSupport
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

/// `export` and `contact-sheet` of a record in which one file has changed on the disk.
@Suite struct ChangedImageTests {
  private static let changes = [
    ("rm FILE", "its file is missing"),
    ("rm FILE; mkdir FILE", "it is not a regular file"),
    ("rm FILE; mkfifo FILE", "it is not a regular file"),
    ("rm FILE; ln -s /etc/passwd FILE", "it is not a regular file"),
  ]

  private func withRecord(_ change: String, _ body: (Rig) async throws -> Void) async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serveImages("a", 3).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let file = "\"$IMGDL_LIBRARY\"/list/0002-a-2.png"
      let ending = try await rig.shell(change.split(separator: "FILE").joined(separator: file))
      #expect(ending.code == 0, "\(ending.errors)")
      try await body(rig)
    }
  }

  @Test(
    "a file that is gone is named and left out, and the others are exported", arguments: changes)
  func gone(_ change: String, _ reason: String) async throws {
    try await withRecord(change + " ") { rig in
      for format in ["dir", "zip", "tar"] {
        let ending = try await rig.imgdl(
          "export", "list", "--format", format, "-o", "out-\(format)")
        #expect(ending.code == 1, "\(ending.errors)")
        #expect(ending.errors.contains("2: 0002-a-2.png: \(reason)"), "\(ending.errors)")
        #expect(ending.errors.contains("2 images to "), "\(ending.errors)")
      }
      let names = try await rig.shell("ls out-dir; tar tf out-tar").output
      #expect(names == "0001.png\n0003.png\n0001.png\n0003.png\n")
      let sheet = try await rig.imgdl("contact-sheet", "list", "-o", "sheet.jpg")
      #expect(sheet.code == 1 && sheet.errors.contains("2: 0002-a-2.png: "), "\(sheet.errors)")
    }
  }

  @Test(
    "a file with another size or content is exported as it is, named and counted",
    arguments: [
      (": >FILE", "its file has 0 bytes instead of "),
      ("truncate -s -1 FILE", "its file has "),
      (
        "printf EDITED | dd of=FILE bs=1 seek=40 conv=notrunc 2>/dev/null ",
        "the content of its file is not what was downloaded"
      ),
    ])
  func changed(_ change: String, _ reason: String) async throws {
    try await withRecord(change + " ") { rig in
      for format in ["dir", "zip", "tar"] {
        let ending = try await rig.imgdl(
          "export", "list", "--format", format, "-o", "out-\(format)")
        #expect(ending.code == 1, "\(ending.errors)")
        #expect(ending.errors.contains("2: 0002-a-2.png: \(reason)"), "\(ending.errors)")
        #expect(ending.errors.contains("3 images to "), "\(ending.errors)")
        #expect(ending.errors.contains(", 1 of them damaged"), "\(ending.errors)")
      }
      let same = try await rig.shell("cmp out-dir/0002.png \"$IMGDL_LIBRARY\"/list/0002-a-2.png")
      #expect(same.code == 0, "\(same.errors)")
    }
  }

  @Test(
    "an archive for which the disk has no room names that as the cause",
    .enabled(if: DiskTests.canMount, "mounting needs root"))
  func fullDisk() async throws {
    try await Rig.run { rig in
      let picture = TestPicture.png(width: 400, height: 400)
      let urls = try (1...3).map { try rig.serve("\($0).png", picture) }
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let ending = try await rig.shell(
        """
        mkdir small; unshare -m sh -c 'mount -t tmpfs -o size=500k none small || exit 99
          imgdl-cli export list --format zip -o small/x.zip; echo "zip $?"
          imgdl-cli export list --format tar -o small/x.tar; echo "tar $?"; ls small'
        """)
      #expect(ending.output == "zip 6\ntar 6\n", "\(ending.output)\(ending.errors)")
      let told = ending.errors.split(separator: "\n").count { line in
        line.contains("the archive cannot be written") && line.contains("No space left on device")
      }
      #expect(told == 2, "\(ending.errors)")
    }
  }
}
