import Glibc
import SystemCalls
import Testing

@Suite("files that commands write where the user says")
struct OutputFileTests {
  /// Adds a record of two images, and one of a file that is missing.
  private func addRecords(_ rig: Rig) async throws {
    let list = try rig.write("one.txt", try rig.serveImages("a", 2).joined(separator: "\n"))
    #expect(try await rig.imgdl("add", list).code == 0)
    let missing = try rig.write("missing.txt", rig.url("missing.png"))
    #expect(try await rig.imgdl("add", "--retry", "0", missing).code == 1)
  }

  @Test("a contact sheet is written into a pipe, which stays a pipe", arguments: ["", " --force"])
  func pipe(force: String) async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      // The shell keeps both ends open, so that neither program waits for the other.
      let ending = try await rig.shell(
        """
        mkfifo pipe && exec 3<>pipe && imgdl-cli contact-sheet 1 -o pipe\(force) && test -p pipe \
          && head -c 3 <&3 | od -An -tx1
        """)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.output == " ff d8 ff\n")
    }
  }

  @Test("of the archives of images only tar is written into a pipe")
  func archiveIntoPipe() async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      let ending = try await rig.shell(
        """
        mkfifo pipe && cat pipe >copy.tar & \
        imgdl-cli export 1 --format tar -o pipe && wait && test -p pipe && tar tf copy.tar | wc -l
        """)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.output.hasSuffix("2\n"), "\(ending.output)")
      for format in ["zip", "cbz"] {
        let refused = try await rig.shell(
          "imgdl-cli export 1 --format \(format) -o pipe; code=$?; test -p pipe; exit $code")
        #expect(refused.code == 8, "\(refused.errors)")
        #expect(refused.errors.contains("only tar can be written to a pipe"), "\(refused.errors)")
      }
    }
  }

  @Test("an interrupted export leaves no temporary file", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(_ number: Int32) async throws {
    try await Rig.run { rig in
      // The pages are drawn one after the other, for much longer than the signal takes.
      let list = try rig.write(
        "book.txt", try rig.serve("book.pdf", ImageCommandTests.pdf(pages: 200)))
      #expect(try await rig.imgdl("add", list).code == 0)
      let folder = FileSystem.parentFolder(of: list)
      let names = { @Sendable in ((try? FileSystem.list(folder)) ?? []).map(\.name) }
      let export = try rig.start(["export", "1", "--format", "tar", "-o", "\(folder)/out.tar"])
      #expect(
        await export.waits(for: { names().contains { $0.hasPrefix("out.tar.part-") } }))
      export.signal(number)
      let ending = await export.ending()
      #expect(ending.code == 7, "\(ending.errors)")
      #expect(names().allSatisfy { !$0.hasPrefix("out.tar") })
    }
  }

  @Test("several contact sheets are not written into a pipe, nor beside it")
  func sheetsIntoPipe() async throws {
    try await Rig.run { rig in
      let list = try rig.write("many.txt", try rig.serveImages("a", 40).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      let ending = try await rig.shell(
        """
        mkfifo pipe && exec 3<>pipe
        imgdl-cli contact-sheet 1 --columns 1 --side 1024 -o pipe; code=$?
        test -p pipe && ls pipe*; exit $code
        """)
      #expect(ending.code == 8, "\(ending.errors)")
      #expect(ending.errors.contains("takes a single sheet"), "\(ending.errors)")
      #expect(ending.output == "pipe\n")
    }
  }

  @Test("an output that ends with a slash is not taken for a file")
  func folderName() async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      for command in [
        ["fetch", "-o", "new/", rig.url("a1.png")],
        ["export", "1", "--format", "csv", "-o", "new/"],
        ["export", "1", "--format", "cbz", "-o", "new/"], ["contact-sheet", "1", "-o", "new/"],
      ] {
        let ending = try await rig.imgdl(command)
        #expect(ending.code == 2, "\(ending.errors)")
        #expect(ending.errors.contains("new/ is the name of a folder"), "\(ending.errors)")
      }
      #expect(try await rig.imgdl("export", "1", "--format", "dir", "-o", "new/").code == 0)
    }
  }

  @Test("an output that is a symbolic link stays one, also if its target does not exist yet")
  func links() async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      for words in [
        ["fetch", rig.url("a-1.png"), "-o"], ["export", "1", "--format", "csv", "-o"],
        ["export", "1", "--format", "zip", "-o"], ["contact-sheet", "1", "-o"],
        ["retry", "--failed-to"],
      ] {
        let made = try await rig.shell("mkdir -p far && rm -rf far/* link && ln -s far/file link")
        #expect(made.code == 0)
        let first = try await rig.imgdl(words + ["link"])
        #expect(first.code == (words[0] == "retry" ? 1 : 0), "\(words): \(first.errors)")
        #expect(try FileSystem.linkTarget(rig.root + "/link") == "far/file", "\(words)")
        #expect(try FileSystem.status(rig.root + "/far/file").kind == .file, "\(words)")
        guard ["export", "contact-sheet"].contains(words[0]) else { continue }
        #expect(try await rig.imgdl(words + ["link"]).code == 8, "\(words)")
        let second = try await rig.imgdl(words + ["link", "--force"])
        #expect(second.code == 0, "\(words): \(second.errors)")
        #expect(try FileSystem.linkTarget(rig.root + "/link") == "far/file", "\(words)")
      }
    }
  }

  @Test("no output replaces a file of the library itself")
  func filesOfLibrary() async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      #expect(try await rig.shell("ln -s library/one/0001-a-1.png link").code == 0)
      let url = try rig.serve("other.png", Sample.image(9, side: 8))
      let before = try await rig.shell("cd library && ls -AR one && cat one/*")
      for target in [
        "library/one/0001-a-1.png", "library/one/sheet.jpg", "library/.imgdl/library.sqlite",
        "library/.imgdl/new", "link",
      ] {
        for words in [
          ["fetch", url, "-o"], ["retry", "--failed-to"], ["export", "1", "--format", "csv", "-o"],
          ["export", "1", "--format", "csv", "--force", "-o"],
          ["export", "1", "--format", "zip", "--force", "-o"],
          ["contact-sheet", "1", "--force", "-o"],
        ] {
          let name = words[0] == "contact-sheet" && target.hasSuffix(".png") ? "link" : target
          let ending = try await rig.imgdl(words + [name])
          #expect(ending.code == 8, "\(words) \(name): \(ending.errors)")
          #expect(
            ending.errors.contains("is in a folder of the library itself"),
            "\(words) \(name): \(ending.errors)")
        }
      }
      let pages = try await rig.imgdl("archive", "get", rig.url("a.zip"), "1", "-o", "library/one")
      #expect(pages.code == 8, "\(pages.errors)")
      #expect(pages.errors.contains("is a folder of the library itself"), "\(pages.errors)")
      #expect(try await rig.shell("cd library && ls -AR one && cat one/*").output == before.output)
      #expect(try await rig.imgdl("verify", "--read-data").code == 0)
      let beside = try await rig.imgdl("export", "1", "--format", "csv", "-o", "library/rows.csv")
      #expect(beside.code == 0, "\(beside.errors)")
    }
  }

  @Test("relative paths are refused in a working folder that was removed; absolute ones are not")
  func lostFolder() async throws {
    try await Rig.run { rig in
      try await addRecords(rig)
      for words in [
        "-d rel list", "export 1 --format dir", "export 1 --format zip", "contact-sheet 1 -o s.jpg",
        "fetch \(rig.url("a-1.png")) -o f.png", "list --set network.cookieFile=jar",
        "retry --failed-to failed.txt", "add list.txt", "add --dry-run list.txt",
      ] {
        let ending = try await rig.shell(
          "mkdir gone && cd gone && rmdir ../gone && imgdl-cli \(words)")
        #expect(ending.code == 6, "\(words): \(ending.errors)")
        #expect(
          ending.errors.contains("the working folder does not exist any more"),
          "\(words): \(ending.errors)")
      }
      let absolute = try await rig.shell(
        """
        mkdir gone && cd gone && rmdir ../gone
        imgdl-cli export 1 --format zip -o '\(rig.root)/a.zip'
        """)
      #expect(absolute.code == 0, "\(absolute.errors)")
    }
  }
}
