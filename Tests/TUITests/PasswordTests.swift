import Models
import Origin
import TestSupport
import Testing

@Suite("Encrypted files in a terminal") struct PasswordTests {
  private static let password = EncryptedPDF.password

  /// A record of an encrypted PDF of a red and a blue page, and of a ZIP with an encrypted image, without
  /// its password.
  private static func run(
    background: String, _ body: (Rig, Window) async throws -> Void
  ) async throws {
    try await Rig.runWithDaemon { rig in
      let image = Sample.image(1, side: 64)
      let zip = ZipBuilder([ZipBuilder.Entry.stored("1.png", image).encrypted(password)])
      let urls = [
        try rig.serve("a.pdf", EncryptedPDF.file), try rig.serve("b.zip", zip.build()),
      ]
      let list = try rig.write("list.txt", urls.joined(separator: "\n"))
      let window = try Window(rig, background: background)
      await window.shows("The library is empty.")
      try await window.add(list)
      await window.shows("2 failed")
      try window.press(.enter)
      await window.shows("Needs a password")
      do {
        try await body(rig, window)
      } catch {
        await window.quit()
        throw error
      }
      await window.quit()
      let found = try await rig.shell(
        "grep -rla '\(password)' \"$IMGDL_LIBRARY\" \"$TMPDIR\" \"$HOME\" || true")
      #expect(found.output.isEmpty, "\(found.output)")
    }
  }

  private static func red(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> Bool {
    red > 200 && green < 60 && blue < 60
  }

  private static func blue(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> Bool {
    red < 60 && green < 60 && blue > 200
  }

  @Test(
    "a PDF opens with its password only, page by page, and asks again when it is opened again",
    arguments: ["off", "auto"])
  func document(_ background: String) async throws {
    try await Self.run(background: background) { rig, window in
      try window.press(.enter)
      await window.shows("Password of a.pdf")
      try window.type("guess")
      await window.shows("•••••")
      try window.press(.enter)
      await window.shows("Wrong password.")
      #expect(!window.shown.contains("•••••"))
      try window.paste(Self.password)
      await window.shows("••••••")
      #expect(!window.shown.contains(Self.password))
      try window.press(.enter)
      await window.shows("page 1/2  1/2")
      await window.shows("the red page") { $0.count(ofBackground: Self.red) > 100 }
      try window.type(" ")
      await window.shows("page 2/2  1/2")
      // The engine draws the second page with the password that the viewer has.
      await window.shows("the blue page") { $0.count(ofBackground: Self.blue) > 100 }
      try window.press(.escape)
      await window.shows("Grid/List")
      try window.press(.enter)
      await window.shows("Password of a.pdf")
      try window.press(.escape)
      await window.hides("Password of a.pdf")
      #expect(window.shown.contains("Grid/List"))
    }
  }

  @Test("a ZIP is unpacked with its password, and needs none after that")
  func archive() async throws {
    try await Self.run(background: "off") { rig, window in
      try window.press(.right)
      await window.shows("Encrypted; Enter asks for the password of b.zip")
      try window.press(.enter)
      await window.shows("Password of b.zip")
      try window.type("guess")
      try window.press(.enter)
      await window.shows("Wrong password.")
      try window.type(Self.password)
      try window.press(.enter)
      await window.shows("2/2")
      await window.shows("its picture") { $0.count(ofBackground: Sample.colour) > 100 }
      try window.press(.escape)
      await window.shows("Grid/List")
      try window.press(.enter)
      await window.shows("its picture") { $0.count(ofBackground: Sample.colour) > 100 }
    }
  }
}
