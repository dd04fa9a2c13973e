import Foundation
import TestSupport
import Testing

/// `export --format dir|cbz|zip|tar`, `contact-sheet` and `view`.
@Suite struct ImageCommandTests {
  /// One page of 100 × 50 points, painted.
  static func pdf(pages: Int) -> String {
    let kids = (0..<pages).map { "\(3 + $0) 0 R" }.joined(separator: " ")
    let each = (0..<pages).map {
      "\(3 + $0) 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 50] >> endobj\n"
    }
    return "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
      + "2 0 obj << /Type /Pages /Kids [\(kids)] /Count \(pages) >> endobj\n" + each.joined()
      + "trailer << /Root 1 0 R >>\n"
  }

  /// Uncompressed pages of 40 × 40 pixels in grey (TIFF 6.0, section 2).
  private static func tiff(pages: Int) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let side = 40
    var file: [UInt8] = [0x49, 0x49, 42, 0] + number(8, 4)
    for page in 0..<pages {
      let start = file.count
      let fields = [
        (256, side), (257, side), (258, 8), (259, 1), (262, 1), (273, start + 2 + 9 * 12 + 4),
        (277, 1), (278, side), (279, side * side),
      ]
      file += number(fields.count, 2)
      for (tag, value) in fields {
        file += number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 4)
      }
      file += number(page + 1 < pages ? file.count + 4 + side * side : 0, 4)
      file += Array(repeating: UInt8(truncatingIfNeeded: 60 * page), count: side * side)
    }
    return file
  }

  @Test("the pages of a TIFF are pages, and go out as such")
  func tiffPages() async throws {
    try await Rig.run { rig in
      let scan = try rig.serve("scan.tif", Self.tiff(pages: 3))
      #expect(try await rig.imgdl("add", try rig.write("list.txt", scan)).code == 0)
      let ending = try await rig.imgdl("export", "list", "--format", "dir", "-o", "out")
      #expect(ending.code == 0, "\(ending.errors)")
      let names = "0001-p0001.jpg\n0001-p0002.jpg\n0001-p0003.jpg\n"
      #expect(try await rig.shell("ls out").output == names)
    }
  }

  private func withRecord(_ body: (Rig) async throws -> Void) async throws {
    try await Rig.run { rig in
      let pdf = try rig.serve("book.pdf", Self.pdf(pages: 3))
      let urls = try rig.serveImages("a", 2) + [pdf]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let ending = try await rig.imgdl("add", list)
      #expect(ending.code == 0, "\(ending.errors)")
      try await body(rig)
    }
  }

  private static let names = [
    "0001.png", "0002.png", "0003-p0001.jpg", "0003-p0002.jpg", "0003-p0003.jpg",
  ]

  @Test("pictures go out in reading order, pages of a PDF drawn")
  func export() async throws {
    try await withRecord { rig in
      let folder = try await rig.imgdl("export", "list", "--format", "dir", "-o", "out")
      #expect(folder.code == 0, "\(folder.errors)")
      #expect(try await rig.shell("ls out").output == Self.names.map { $0 + "\n" }.joined())
      let first = try await rig.shell("cmp out/0001.png \"$IMGDL_LIBRARY\"/list/0001-a-1.png")
      #expect(first.code == 0, "\(first.errors)")
      for format in ["cbz", "zip", "tar"] {
        let ending = try await rig.imgdl("export", "list", "--format", format)
        #expect(ending.code == 0, "\(ending.errors)")
        let listed = try await rig.shell(
          format == "tar"
            ? "tar tf list.tar"
            : "python3 -c 'import zipfile,sys\n"
              + "for n in zipfile.ZipFile(\"list.\(format)\").namelist(): print(n)'")
        #expect(listed.output == Self.names.map { $0 + "\n" }.joined(), "\(listed.errors)")
      }
      #expect(try await rig.shell("ls | grep part").output == "")
    }
  }

  @Test(
    "pages that the cache lacks, or has only parts of, go out as they are in the archive",
    arguments: ["rm \"$f\"", ": > \"$f\"", "truncate -s 9 \"$f\""])
  func lostRenditions(damage: String) async throws {
    try await Rig.run { rig in
      let images = (1...4).map { TestPicture.png(width: 40, height: 40, red: UInt8(40 * $0)) }
      let nested = ZipBuilder([.stored("4.png", images[3])]).build()
      let zips = [
        ZipBuilder([.stored("2.png", images[1]), .stored("1.png", images[0])]).build(),
        ZipBuilder([.stored("3.png", images[2]), .stored("more.zip", nested)]).build(),
      ]
      var urls: [String] = []
      for (index, zip) in zips.enumerated() { urls.append(try rig.serve("\(index).zip", zip)) }
      urls.append(try rig.serve("book.pdf", Self.pdf(pages: 2)))
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let spoil = try await rig.shell(
        "find \"$IMGDL_LIBRARY\"/.imgdl/renditions -type f | while read f; do \(damage); done")
      #expect(spoil.code == 0)
      let ending = try await rig.imgdl("export", "list", "--format", "dir", "-o", "out")
      #expect(ending.code == 0, "\(ending.errors)")
      let names = ["0001-p0001.png", "0001-p0002.png", "0002-p0001.png", "0002-p0002.png"]
      #expect(
        try await rig.shell("ls out").output.split(separator: "\n").map(String.init)
          == names + ["0003-p0001.jpg", "0003-p0002.jpg"])
      for (name, image) in zip(names, images) {
        let url = URL(filePath: rig.root + "/out/" + name)
        #expect(try Array(Data(contentsOf: url)) == image, "\(name)")
      }
      let sheet = try await rig.imgdl("contact-sheet", "list", "-o", "sheet.jpg")
      #expect(sheet.code == 0 && sheet.errors.contains("6 images"), "\(sheet.errors)")
      let isThere = damage.hasPrefix("rm")
      let found = try await rig.imgdl("verify", "--dry-run")
      #expect(found.code == (isThere ? 0 : 1), "\(found.output)")
      if !isThere {
        #expect(found.output.contains("the image of page 2 in the cache is not whole"))
        #expect(try await rig.imgdl("verify").code == 1)
        #expect(try await rig.imgdl("verify").code == 0)
      }
    }
  }

  @Test("a damaged image has a reason, is on the sheet and in the export, and is counted there")
  func damaged() async throws {
    try await Rig.run { rig in
      let whole = TestPicture.png(width: 40, height: 40)
      let urls =
        try rig.serveImages("a", 1) + [rig.serve("cut.png", Array(whole.dropLast(2_000)))]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 1)
      let reason = "the PNG file ends too early, a part of it is missing"
      #expect(try await rig.imgdl("show", "1").output.contains(reason))
      for words in [
        ["contact-sheet", "list", "-o", "sheet.jpg"], ["export", "list", "--format", "dir"],
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 1)
        #expect(
          ending.errors.contains("2: 0002-cut.png is shown in part: \(reason)"), "\(ending.errors)")
        #expect(ending.errors.contains("2 images "), "\(ending.errors)")
        #expect(ending.errors.contains(", 1 of them damaged"), "\(ending.errors)")
      }
    }
  }

  @Test("an export that lacks a picture says which and ends with 1; one to nowhere leaves nothing")
  func lacking() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 1) + [rig.url("none.png")]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 1)
      let ending = try await rig.imgdl("export", "list", "--format", "cbz", "-o", "x.cbz")
      #expect(ending.code == 1 && ending.errors.contains("2: HTTP 404 Not Found"))
      for words in [
        ["export", "list", "--format", "zip", "-o", "-"], ["contact-sheet", "list"],
        ["contact-sheet", "list", "-o", "x.jpg", "--columns", "0"],
      ] {
        #expect(try await rig.imgdl(words).code == 2)
      }
      #expect(try await rig.imgdl("export", "list", "--format", "tar", "-o", "no/x").code != 0)
      #expect(try await rig.imgdl("contact-sheet", "list", "-o", "no/x.jpg").code != 0)
    }
  }

  @Test(
    "images that cannot be decoded go out as they are, named and counted, and are not on the sheet")
  func undecodable() async throws {
    try await Rig.run { rig in
      let whole = TestPicture.png(width: 40, height: 40)
      let broken = Array(whole.prefix(40))
      let zip = ZipBuilder([.stored("1.png", whole), .stored("2.png", broken)]).build()
      let urls = [
        try rig.serve("a.png", whole), try rig.serve("b.png", broken), try rig.serve("c.zip", zip),
        // A part of its entries only.
        try rig.serve("d.zip", Array(zip.dropLast(30))),
      ]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 1)
      let export = try await rig.imgdl("export", "list", "--format", "dir", "-o", "out")
      #expect(export.code == 1)
      for words in [
        "2: 0002-b.png cannot be shown: ", "3.2: 2.png cannot be shown: ", "4: 0004-d.zip",
      ] {
        #expect(export.errors.contains(words), "\(export.errors)")
      }
      #expect(export.errors.contains(" of them damaged"), "\(export.errors)")
      #expect(try await rig.shell("cmp out/0002.png \"$IMGDL_LIBRARY\"/list/0002-b.png").code == 0)
      let sheet = try await rig.imgdl("contact-sheet", "list", "-o", "sheet.jpg")
      #expect(sheet.code == 1)
      #expect(sheet.errors.components(separatedBy: "2: 0002-b.png").count == 2, "\(sheet.errors)")
      // Neither of the two that show nothing.
      let shown = try await rig.shell("ls out | wc -l").output
      let count = (Int(shown.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
      #expect(count >= 4)
      #expect(!sheet.errors.contains("\(count) images"), "\(sheet.errors)")
    }
  }

  @Test("a picture beyond a limit is named, and ends the command with 8")
  func refused() async throws {
    try await Rig.run { rig in
      let urls = [
        try rig.serve("a.png", TestPicture.png(width: 40, height: 40)),
        try rig.serve("b.png", TestPicture.png(width: 400, height: 40)),
        try rig.serve("c.pdf", Self.pdf(pages: 3)),
      ]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let limits = ["--set", "limits.imageSide=100", "--set", "limits.pdfPages=2"]
      #expect(try await rig.imgdl(["add", list] + limits).code == 1)
      let export = try await rig.imgdl(["export", "list", "--format", "dir", "-o", "out"] + limits)
      #expect(export.code == 8, "\(export.errors)")
      #expect(export.errors.contains("2: 0002-b.png cannot be shown: 400 × 40"), "\(export.errors)")
      #expect(!export.errors.contains("0003-c.pdf"), "\(export.errors)")
      #expect(try await rig.shell("ls out/*-p*.jpg | wc -l").output.contains("2"))
      let sheet = try await rig.imgdl(["contact-sheet", "list", "-o", "sheet.jpg"] + limits)
      #expect(sheet.code == 8 && sheet.errors.contains("2 images on"), "\(sheet.errors)")
    }
  }

  @Test("a remark about a sound document is no damage of its images")
  func remark() async throws {
    try await Rig.run { rig in
      let text = Self.pdf(pages: 3).replacing("/Count 3", with: "/Count 5")
      let list = try rig.write("list.txt", try rig.serve("c.pdf", text))
      #expect(try await rig.imgdl("add", list).code == 0)
      let shown = try await rig.imgdl("show", "list", "--json")
      #expect(shown.output.contains("the file states 5 pages, of which 3 are there"), "\(shown)")
      let export = try await rig.imgdl("export", "list", "--format", "dir", "-o", "out")
      #expect(export.code == 0 && !export.errors.contains("states"), "\(export.errors)")
    }
  }

  @Test("labels of a sheet with characters that its font does not have are counted")
  func labels() async throws {
    try await Rig.run { rig in
      let zip = ZipBuilder([
        .stored("語.png", TestPicture.png(width: 8, height: 8)),
        .stored("„a“ – €.png", TestPicture.png(width: 8, height: 9)),
      ])
      let list = try rig.write("list.txt", try rig.serve("a.zip", zip.build()))
      #expect(try await rig.imgdl("add", list).code == 0)
      let ending = try await rig.imgdl("contact-sheet", "list", "-o", "s.jpg")
      #expect(ending.code == 0 && ending.errors.contains("1 label has"), "\(ending.errors)")
    }
  }

  @Test("a sheet is not written without images, has numbered parts if needed, and is always a JPEG")
  func sheetNames() async throws {
    try await Rig.run { rig in
      let text = try rig.write("list.txt", try rig.serve("notes.txt", "just words"))
      _ = try await rig.imgdl("add", text)
      let none = try await rig.imgdl("contact-sheet", "list", "-o", "none.jpg")
      #expect(none.code == 1 && none.errors.contains("none.jpg was not written"), "\(none.errors)")
      #expect(!none.errors.contains("0 images"))
      let png = try await rig.imgdl("contact-sheet", "list", "-o", "a.PNG")
      #expect(png.code == 2 && png.errors.contains("a contact sheet is a JPEG"), "\(png.errors)")
      for words in [
        ["contact-sheet", "list", "-o", "no/x.jpg"],
        ["export", "list", "--format", "zip", "-o", "no/x"],
      ] {
        let ending = try await rig.imgdl(words)
        #expect(ending.code == 6, "\(ending.errors)")
        #expect(
          ending.errors.contains("/no") && !ending.errors.contains("part-"), "\(ending.errors)")
      }
    }
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serve("scan.tif", Self.tiff(pages: 20)))
      #expect(try await rig.imgdl("add", list).code == 0)
      let ending = try await rig.imgdl(
        "contact-sheet", "list", "-o", "s.jpg", "--side", "1024", "--columns", "1")
      #expect(ending.code == 0 && ending.errors.contains("20 images on"), "\(ending.errors)")
      #expect(ending.errors.contains("s-1.jpg to ") && !ending.errors.contains("/s.jpg"))
    }
  }

  @Test("a contact sheet is one JPEG with all pages on it, or several when one would be too large")
  func sheet() async throws {
    try await withRecord { rig in
      let ending = try await rig.imgdl(
        "contact-sheet", "list", "-o", "sheet.jpg", "--side", "64", "--columns", "3")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.errors.contains("5 images"))
      let head = try await rig.shell("head -c 3 sheet.jpg | od -An -tx1")
      #expect(head.output == " ff d8 ff\n")
      #expect(Int(try await rig.shell("wc -c < sheet.jpg").output.dropLast()) ?? 0 > 1_000)
    }
  }

  @Test("a picture is seen on a terminal, and the next one after a key")
  func view() async throws {
    try await withRecord { rig in
      let program = try rig.start(["view", "list:2"], terminal: (80, 24))
      #expect(await program.waits { $0.contains("list  2  ") })
      try program.type("\u{1b}[C")
      #expect(await program.waits { $0.contains("3.1") && $0.contains("book.pdf") })
      try program.type("q")
      #expect(await program.ending().code == 0)
      #expect(try await rig.imgdl("view", "list:9").code == 2)
      #expect(try await rig.imgdl("view", "list:4").code == 2, "pages have no numbers of their own")
      let page = try rig.start(["view", "list:3.2"], terminal: (80, 24))
      #expect(await page.waits { $0.contains("list  3.2  ") })
      try page.type("q")
      #expect(await page.ending().code == 0)
      #expect(try await rig.imgdl("view", "list:3.4").code == 2)
      #expect(try await rig.imgdl("view", "nothing").code != 0)
    }
  }

  @Test("--force replaces the images of an earlier export, and deletes nothing else")
  func replacedFolder() async throws {
    try await Rig.run { rig in
      for (name, count) in [("many", 4), ("one", 1)] {
        let list = try rig.write(
          "\(name).txt", try rig.serveImages(name, count).joined(separator: "\n"))
        #expect(try await rig.imgdl("add", list).code == 0)
      }
      func export(_ record: String, _ folder: String) async throws -> RunningProgram.Ending {
        try await rig.imgdl("export", record, "--format", "dir", "-o", folder, "--force")
      }
      #expect(try await export("many", "out").code == 0)
      #expect(try await rig.shell("ls out | wc -l").output == "4\n")
      #expect(try await rig.shell("touch out/.hidden").code == 0)
      #expect(try await export("one", "out").code == 0)
      #expect(try await rig.shell("ls -A out").output == ".hidden\n.imgdl-export\n0001.png\n")
      #expect(try await rig.shell("cmp out/0001.png library/one/0001-one-1.png").code == 0)
      // An export that was ended has listed its images before it wrote them.
      #expect(
        try await rig.shell("cp out/0001.png out/0002.png; echo 0002.png >> out/.imgdl-export").code
          == 0)
      #expect(try await export("one", "out").code == 0)
      #expect(try await rig.shell("ls out").output == "0001.png\n")

      let before = try await rig.shell(
        "mkdir own; echo mine > own/0003.png; echo > out/note; cat own/*")
      for folder in ["own", "out"] {
        let ending = try await export("many", folder)
        #expect(ending.code == 8, "\(ending.errors)")
        #expect(
          ending.errors.contains("\(folder) has files that imgdl has not exported, such as"),
          "\(ending.errors)")
      }
      #expect(try await rig.shell("cat own/*; ls own").output == before.output + "0003.png\n")
      #expect(try await rig.shell("ls out").output == "0001.png\nnote\n")
    }
  }

  @Test("images are not exported into the library's folder or that of a record")
  func folderOfLibrary() async throws {
    try await Rig.run { rig in
      let list = try rig.write("one.txt", try rig.serveImages("a", 1).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      #expect(try await rig.shell("mkdir library/one/empty library/.imgdl/x").code == 0)
      for folder in [
        "library", "library/one", "library/one/new", "library/one/empty", "library/.imgdl/x",
      ] {
        for force in [[], ["--force"]] {
          let ending = try await rig.imgdl(
            ["export", "1", "--format", "dir", "-o", folder] + force)
          #expect(ending.code == 8, "\(folder): \(ending.errors)")
        }
        let forced = try await rig.imgdl(
          "export", "1", "--format", "dir", "-o", folder, "--force")
        #expect(forced.errors.contains("a folder of the library itself"), "\(forced.errors)")
      }
      #expect(try await rig.shell("ls -A library/one").output == "0001-a-1.png\nempty\n")
      let beside = try await rig.imgdl("export", "1", "--format", "dir", "-o", "library/exported")
      #expect(beside.code == 0, "\(beside.errors)")
    }
  }
}
