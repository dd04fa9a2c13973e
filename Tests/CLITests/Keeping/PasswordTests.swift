import Foundation
import TestSupport
import Testing

/// `--password-file` and the question on the terminal, for encrypted PDF and ZIP files.
@Suite struct PasswordTests {
  private static let password = EncryptedPDF.password

  /// An encrypted PDF of two pages, and a ZIP with an encrypted and a plain picture.
  private func serve(_ rig: Rig) throws -> String {
    let picture = TestPicture.png(width: 8, height: 8)
    let zip = ZipBuilder([
      ZipBuilder.Entry.stored("1.png", picture).encrypted(Self.password), .stored("2.png", picture),
    ])
    let urls = [
      try rig.serve("a.pdf", EncryptedPDF.file), try rig.serve("b.cbz", zip.build()),
    ]
    return try rig.write("list.txt", urls.joined(separator: "\n"))
  }

  private func secret(_ rig: Rig, _ text: String = password + "\n") async throws -> String {
    let path = try rig.write("password", text)
    _ = try await rig.shell("chmod 600 password")
    return path
  }

  /// The password must not be in any file of the library, nor in the journal of a run.
  private func expectNoTrace(_ rig: Rig) async throws {
    let found = try await rig.shell(
      "grep -rla '\(Self.password)' \"$IMGDL_LIBRARY\" \"$TMPDIR\" \"$HOME\" || true")
    #expect(found.output.isEmpty, "\(found.output)")
  }

  @Test("an encrypted file is an error that says how to pass the password; add with it succeeds")
  func adding() async throws {
    try await Rig.run { rig in
      let list = try serve(rig)
      let without = try await rig.imgdl("add", list)
      #expect(without.code == 1)
      let shown = try await rig.imgdl("show", "1", "--json").output
      #expect(shown.contains("the PDF file is encrypted and needs a password"), "\(shown)")
      #expect(shown.contains("1.png: the entry needs a password"), "\(shown)")
      #expect(shown.components(separatedBy: "--password-file").count == 3, "\(shown)")
      let again = try await rig.imgdl(
        "add", "--again", "--password-file", try await secret(rig), list)
      #expect(again.code == 0, "\(again.errors)")
      let exported = try await rig.imgdl(
        "export", "2", "--format", "dir", "-o", "out", "--password-file", "password")
      #expect(exported.code == 0, "\(exported.errors)")
      #expect(
        try await rig.shell("ls out").output
          == "0001-p0001.jpg\n0001-p0002.jpg\n0002-p0001.png\n0002-p0002.png\n")
      try await expectNoTrace(rig)
    }
  }

  @Test("export and contact-sheet unlock files that were added without the password")
  func unlocking() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try serve(rig)).code == 1)
      let wrong = try await rig.imgdl(
        "contact-sheet", "1", "-o", "wrong.jpg", "--password-file",
        try await secret(rig, "guess\n"))
      #expect(
        wrong.errors.contains(
          "list, resource 1: the PDF file is encrypted, and the password is wrong"),
        "\(wrong.errors)")
      let sheet = try await rig.imgdl(
        "contact-sheet", "1", "-o", "sheet.jpg", "--password-file", try await secret(rig))
      #expect(sheet.code == 0, "\(sheet.errors)")
      #expect(sheet.errors.contains("4 images"), "\(sheet.errors)")
      #expect(try await rig.resources().map(\.status) == ["finished", "finished"])
      try await expectNoTrace(rig)
    }
  }

  @Test(
    "without the password, or with a wrong one, encrypted files are named and the exit code is 8")
  func lacking() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try serve(rig)).code == 1)
      let guess = ["--password-file", try await secret(rig, "guess\n")]
      let reasons = ["1.png: the entry", "1.png: the password of the entry is wrong"]
      for (number, words) in [[], guess].enumerated() {
        let export = try await rig.imgdl(
          ["export", "1", "--format", "dir", "-o", "out\(number)"] + words)
        #expect(export.code == 8, "\(export.errors)")
        #expect(
          export.errors.contains("1: 0001-a.pdf: the PDF file is encrypted"), "\(export.errors)")
        #expect(
          export.errors.contains("2: 0002-b.cbz: \(reasons[number])"), "\(export.errors)")
        #expect(export.errors.contains("1 image to"), "\(export.errors)")
        let sheet = try await rig.imgdl(["contact-sheet", "1", "-o", "s\(number).jpg"] + words)
        #expect(sheet.code == 8 && sheet.errors.contains("1: 0001-a.pdf"), "\(sheet.errors)")
      }
    }
  }

  @Test("on a terminal the program prompts for the password, without an echo")
  func asking() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try serve(rig)).code == 1)
      let program = try rig.start(
        ["export", "1", "--format", "dir", "-o", "out"], terminal: (80, 24))
      #expect(await program.waits { $0.contains("Password of the encrypted files of list") })
      try program.type(Self.password + "\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.output)")
      #expect(!ending.output.contains(Self.password))
      #expect(try await rig.shell("ls out | wc -l").output.contains("4"))
    }
  }

  @Test("a file without a password, one that others can read and a detached add are refused")
  func badFiles() async throws {
    try await Rig.run { rig in
      let list = try serve(rig)
      for (text, code) in [("", 2), ("\nsecret\n", 2)] {
        let ending = try await rig.imgdl(
          "add", "--password-file", try await secret(rig, text), list)
        #expect(ending.code == Int32(code), "\(ending.errors)")
        #expect(ending.errors.contains("is no password"), "\(ending.errors)")
      }
      #expect(try await rig.imgdl("add", "--password-file", "none", list).code == 2)
      #expect(
        try await rig.imgdl("add", "--detach", "--password-file", try await secret(rig), list).code
          == 2)
      _ = try await rig.shell("chmod 644 password")
      let open = try await rig.imgdl("add", "--password-file", "password", list)
      #expect(open.code == 0, "\(open.errors)")
      #expect(open.errors.contains("password can be read by others"), "\(open.errors)")
    }
  }

  @Test("a byte order mark and a line end of another system do not belong to the password")
  func marks() async throws {
    try await Rig.run { rig in
      let list = try serve(rig)
      let path = try await secret(rig, "\u{feff}\(Self.password)\r\nmore\n")
      let ending = try await rig.imgdl("add", "--password-file", path, list)
      #expect(ending.code == 0, "\(ending.errors)")
    }
  }

  @Test("a folder is not accepted as a password file, and its permissions are not checked")
  func folder() async throws {
    try await Rig.run { rig in
      let list = try serve(rig)
      _ = try await rig.shell("mkdir -m 755 folder")
      let ending = try await rig.imgdl("add", "--password-file", "folder", list)
      #expect(ending.code == 2)
      #expect(ending.errors.contains("--password-file: folder is a folder"), "\(ending.errors)")
      #expect(!ending.errors.contains("chmod"), "\(ending.errors)")
    }
  }

  @Test("the password can be read from a pipe: standard input, or the output of another program")
  func pipes() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try serve(rig)).code == 1)
      for (number, line) in [
        "echo '\(Self.password)' | imgdl-cli export 1 --format dir -o out0 --password-file -",
        // Both ends of a pipe with a name wait for each other.
        "mkfifo -m 644 pipe; echo '\(Self.password)' > pipe & "
          + "imgdl-cli export 1 --format dir -o out1 --password-file pipe",
      ].enumerated() {
        let ending = try await rig.shell(line)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(!ending.errors.contains("can be read by others"), "\(ending.errors)")
        #expect(try await rig.shell("ls out\(number) | wc -l").output.contains("4"))
      }
      let silent = try await rig.imgdl(
        ["export", "1", "--format", "dir", "-o", "out2", "--password-file", "-"])
      #expect(silent.code == 2)
      #expect(silent.errors.contains("the first line of standard input is no password"))
      let twice = try await rig.imgdl("add", "-", "--password-file", "-")
      #expect(twice.code == 2)
      #expect(twice.errors.contains("standard input can be read only once"), "\(twice.errors)")
      try await expectNoTrace(rig)
    }
  }

  @Test("if standard input is a terminal, it is read without an echo")
  func typedFile() async throws {
    try await Rig.run { rig in
      #expect(try await rig.imgdl("add", try serve(rig)).code == 1)
      let program = try rig.start(
        ["export", "1", "--format", "dir", "-o", "out", "--password-file", "-"], terminal: (80, 24))
      #expect(await program.waits { $0.contains("Password of the encrypted files: ") })
      try program.type(Self.password + "\n")
      let ending = await program.ending()
      #expect(ending.code == 0, "\(ending.output)")
      #expect(!ending.output.contains(Self.password))
    }
  }

  @Test("every command that draws a page of an encrypted document asks for its password again")
  func askingAgain() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serve("a.pdf", EncryptedPDF.file))
      let added = try await rig.imgdl("add", "--password-file", try await secret(rig), list)
      #expect(added.code == 0, "\(added.errors)")
      let question = "Password of the encrypted files of list"
      for command in ["export 1 --format dir -o out", "contact-sheet 1 -o sheet.jpg"] {
        let program = try rig.start(
          command.split(separator: " ").map(String.init), terminal: (80, 24))
        #expect(await program.waits { $0.contains(question) }, "\(program.output)")
        try program.type(Self.password + "\n")
        let ending = await program.ending()
        #expect(ending.code == 0, "\(ending.output)")
        #expect(ending.output.contains("2 images"), "\(ending.output)")
      }
      #expect(try await rig.shell("ls out | wc -l").output.contains("2"))
      let view = try rig.start(["view", "1:1.2"], terminal: (80, 24))
      #expect(await view.waits { $0.contains(question) }, "\(view.output)")
      try view.type(Self.password + "\n")
      #expect(
        await view.waits {
          $0.components(separatedBy: question).last?.contains("a.pdf, 2") ?? false
        }, "\(view.output)")
      try view.type("q")
      let ending = await view.ending()
      #expect(ending.code == 0)
      let after = ending.output.components(separatedBy: question).last ?? ""
      #expect(!after.contains("encrypted"), "\(ending.output)")
      try await expectNoTrace(rig)
    }
  }

  @Test("a viewer does not ask again for a password that the user did not enter")
  func declining() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.txt", try rig.serve("a.pdf", EncryptedPDF.file))
      _ = try await rig.imgdl("add", "--password-file", try await secret(rig), list)
      let view = try rig.start(["view", "1:1.2"], terminal: (80, 24))
      #expect(await view.waits { $0.contains("Password of ") }, "\(view.output)")
      try view.type("\n")
      #expect(
        await view.waits {
          $0.components(separatedBy: "Password of ").last?.contains("needs a password") ?? false
        }, "\(view.output)")
      try view.type("q")
      #expect(await view.ending().output.components(separatedBy: "Password of ").count == 2)
    }
  }
}
