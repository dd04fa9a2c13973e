import Foundation
import Testing

/// `add` of tables, with the options that name their columns, and of input files of aria2.
@Suite struct TableListTests {
  @Test("a table is added with named columns, and refreshed with the same columns")
  func columns() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 3)
      let path = try rig.write(
        "birds.csv", "big,small,file\n\(urls[0]),\(urls[1]),one\n\(urls[2]),\(urls[1]),two\n")
      let preview = try await rig.imgdl("add", "--dry-run", path)
      #expect(
        preview.code == 0
          && preview.output == ("birds\t\(urls[0])\tname=one\nbirds\t\(urls[2])\tname=two\n"))
      #expect(preview.errors.contains("birds.csv: read as csv: 1 record, 2 resources"))
      let ending = try await rig.imgdl("add", "--url-column", "2", path)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.resources().map(\.url) == [urls[1], urls[1]])
      try rig.write("birds.csv", "big,small,file\n\(urls[0]),\(urls[2]),one\n")
      let refresh = try await rig.imgdl("refresh", "birds")
      #expect(refresh.code == 0, "\(refresh.errors)")
      #expect(try await rig.resources().first?.url == urls[2])
    }
  }

  @Test("mistakes in the options are reported")
  func mistakes() async throws {
    try await Rig.run { rig in
      let path = try rig.write("l.csv", "url,name\nhttp://127.0.0.1:9/a.png,a\n")
      for (words, code, cause) in [
        (["--url-column", "x"], 3, "line 1: --url-column \"x\": no such column"),
        (["--name-column", "3"], 3, "line 1: --name-column 3: the table has 2 columns"),
        (["--format", "json", "--url-column", "x"], 2, "has no columns"),
        (["--format", "aria2", "--title-column", "1"], 2, "has no columns"),
        (["--via", "wget"], 2, "gallery-dl"),
      ] {
        let ending = try await rig.imgdl(["add"] + words + [path])
        #expect(ending.code == Int32(code) && ending.errors.contains(cause), "\(ending.errors)")
      }
    }
  }

  @Test("a row that is added to a table adds one resource, with any title")
  func refresh() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("t", 3)
      let table = "url,title\n\(urls[0]),A\n\(urls[1]),B\n"
      let ending = try await rig.imgdl("add", try rig.write("file.csv", table))
      #expect(ending.code == 0, "\(ending.errors)")
      try rig.write("file.csv", table + "\(urls[2]),B\n")
      let refresh = try await rig.imgdl("refresh", "1")
      #expect(refresh.code == 0, "\(refresh.errors)")
      #expect(try await rig.records().map(\.title) == ["file"])
      #expect(try await rig.resources().map(\.url) == [urls[2], urls[0], urls[1]])
    }
  }

  @Test("options for columns are refused for a list without columns")
  func noTable() async throws {
    try await Rig.run { rig in
      let path = try rig.write("l.json", "[\"http://127.0.0.1:9/a.png\"]")
      let ending = try await rig.imgdl("add", "--url-column", "x", path)
      #expect(ending.code == 3)
      #expect(
        ending.errors.contains(
          "l.json: --url-column is for tables (CSV, TSV), but the source is read as json"),
        "\(ending.errors)")
    }
  }

  @Test("an export for aria2 can be added again")
  func aria2() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 2)
      #expect(
        try await rig.imgdl("add", try rig.write("l.txt", urls.joined(separator: "\n"))).code == 0)
      let export = try await rig.imgdl("export", "l", "--format", "aria2", "-o", "l.aria2")
      #expect(export.code == 0, "\(export.errors)")
      let ending = try await rig.imgdl("add", rig.root + "/l.aria2")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.title) == ["l", "l"])
      #expect(try await rig.resources(2).map(\.url) == urls)
      #expect(try await rig.resources(2).map(\.sha256) == rig.resources(1).map(\.sha256))
    }
  }

  @Test("a dry run reports the records that add creates, and the known values of each entry")
  func dryRun() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 3)
      let table = try rig.write(
        "birds.csv", "url,album,name\n\(urls[0]),A,a.png\n\(urls[1]),B,\n\(urls[2]),A,c.png\n")
      let preview = try await rig.imgdl("add", "--dry-run", table)
      #expect(
        preview.output
          == "A\t\(urls[0])\tname=a.png\nA\t\(urls[2])\tname=c.png\nB\t\(urls[1])\n")
      #expect(preview.errors.contains("read as csv: 2 records, 3 resources"), "\(preview.errors)")
      let ending = try await rig.imgdl("add", table)
      #expect(ending.errors.contains("2 records, 3 resources"), "\(ending.errors)")
      let digest = String(repeating: "ab", count: 32)
      let input = try rig.write(
        "input.txt",
        "\(urls[0])\t\(urls[1])\n  out=x.png\n  checksum=sha-256=\(digest)\n  header=X-Key: secret\n"
      )
      let plan = try await rig.imgdl("add", "--dry-run", "--json", input)
      for text in [
        #""name":"x.png""#, #""checksum":"sha-256=\#(digest)""#, #""mirrors":["#,
        #""headers":["X-Key"]"#,
      ] {
        #expect(plan.output.contains(text), "\(plan.output)")
      }
      #expect(!plan.output.contains("secret"))
    }
  }

  @Test("a dry run of a sitemap shows the resources that add creates")
  func sitemap() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 2)
      let pages = urls.map {
        "<url><image><loc>\(urls[0])</loc></image><image><loc>\($0)</loc></image></url>"
      }
      let path = try rig.write("map.xml", "<urlset>\(pages.joined())</urlset>")
      let preview = try await rig.imgdl("add", "--dry-run", path)
      #expect(preview.errors.contains("1 record, 2 resources"), "\(preview.errors)")
      let ending = try await rig.imgdl("add", path)
      #expect(ending.errors.contains("1 record, 2 resources"), "\(ending.errors)")
    }
  }

  @Test("a dry run names a file on standard input by its content, not by its spool file")
  func standardInput() async throws {
    try await Rig.run { rig in
      let preview = try await rig.imgdl(["add", "--dry-run", "-"], input: [0, 1, 2, 0xff])
      #expect(preview.code == 0 && preview.output.hasPrefix("standard input\tstdin:"))
      #expect(!preview.output.contains("spool"), "\(preview.output)")
    }
  }
}
