import Glibc
import Origin
import SystemCalls
import TestSupport
import Testing

/// `archive list` and `archive get`: single pages of zip archives on servers.
@Suite struct ArchiveCommandTests {
  private static func archive() -> [UInt8] {
    var zip = ZipBuilder((1...12).map { .stored("p\($0).png", Sample.image($0, side: 64)) })
    zip.entries.append(.deflated("../evil\u{1b}[2J.txt", Array("notes".utf8)))
    zip.entries.append(.stored("long.bin", Sample.bytes(300_000)))
    zip.entries.append(.stored("z.png", Sample.image(99)))
    zip.entries[14].flags |= 1
    return zip.build()
  }

  @Test("list prints pages in natural order, and only the end of the archive is transferred")
  func list() async throws {
    try await Rig.run { rig in
      let url = try rig.serve("a.cbz", Self.archive())
      let table = try await rig.imgdl("archive", "list", url)
      #expect(table.code == 0, "\(table.errors)")
      let lines = table.output.split(separator: "\n").dropFirst()
      let numbers = lines.map { line in String(line.split(separator: " ").first ?? "") }
      let expected = ["-"] + (1...13).map { "\($0)" } + ["-"]
      #expect(numbers == expected)
      #expect(!table.output.contains("\u{1b}"))
      #expect(lines.filter { $0.hasSuffix("encrypted") }.count == 1)
      #expect(table.errors.contains("1 request, 16384 bytes"))
      let rows = try await rig.imgdl("archive", "list", url, "--json", "-q")
      #expect(rows.output.contains(#""name":"p12.png","page":12}"#))
      #expect(rows.errors == "")
      #expect(!FileSystem.exists(rig.library), "no library is made")
    }
  }

  @Test("get stores pages under safe names, and reports the pages that cannot be read")
  func get() async throws {
    try await Rig.run { rig in
      let url = try rig.serve("a.cbz", Self.archive())
      let got = try await rig.imgdl(
        "archive", "get", url, "10-12", "2", "../evil\u{1b}[2J.txt", "-o", "pages")
      #expect(got.code == 0, "\(got.errors)")
      #expect(
        try FileSystem.list(rig.root + "/pages").map(\.name).sorted() == [
          "0002-p2.png", "0010-p10.png", "0011-p11.png", "0012-p12.png", "evil[2J.txt",
        ])
      #expect(
        try FileSystem.contents(of: rig.root + "/pages/0002-p2.png") == Sample.image(2, side: 64))
      let again = try await rig.imgdl("archive", "get", url, "2", "13", "-o", "pages")
      #expect(again.code == 8)
      #expect(again.errors.contains("pages/0002-p2.png already exists; use --force to replace it"))
      #expect(again.errors.contains("z.png: the entry needs a password"))
      #expect(again.errors.contains("1 request, "), "Only the directory is transferred.")
      let other = try await rig.imgdl("archive", "get", url, "2", "3", "-o", "pages")
      #expect(other.code == 8 && other.output == "pages/0003-p3.png\n")
      #expect(other.errors.contains("pages/0002-p2.png already exists"))
      let forced = try await rig.imgdl("archive", "get", url, "2", "--force", "-o", "pages")
      #expect(forced.code == 0 && forced.output == "pages/0002-p2.png\n", "\(forced.errors)")
      let stream = try await rig.imgdl("archive", "get", url, "long.bin", "-o", "-")
      #expect(stream.code == 0)
      #expect(stream.errors.contains("2 requests"))
      let missing = try await rig.imgdl("archive", "get", url, "14")
      #expect(missing.code == 2)
      #expect(missing.errors.contains("the archive has 13 pages, and no page or entry 14"))
      #expect(try FileSystem.list(rig.root + "/tmp").isEmpty, "nothing is left behind")
    }
  }

  @Test("a file that is not an archive, and a missing file, are errors with reasons")
  func failures() async throws {
    try await Rig.run { rig in
      let text = try rig.serve("a.txt", "no archive")
      let none = try await rig.imgdl("archive", "list", text)
      #expect(none.code == 3)
      #expect(none.errors.contains("a.txt: the file is not a zip archive"))
      let missing = try await rig.imgdl("archive", "list", rig.url("gone.zip"), "--retry", "0")
      #expect(missing.code == 3)
      #expect(missing.errors.contains("HTTP 404"))
    }
  }
}
