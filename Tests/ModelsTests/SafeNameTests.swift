import Foundation
import Naming
import Testing

@Suite("Names of files and folders")
struct SafeNameTests {
  @Test(
    "A label becomes a file name",
    arguments: [
      ("name.jpg", "jpg", "0007-name.jpg"),
      ("name.JPEG", "jpg", "0007-name.jpg"),
      ("name.jpe", "jpg", "0007-name.jpg"),
      ("name.png", "jpg", "0007-name.png.jpg"),
      ("a.tar.gz", "gz", "0007-a.tar.gz"),
      ("page.htm", "html", "0007-page.html"),
      ("scan.tiff", "tif", "0007-scan.tif"),
      ("comic.cbz", "zip", "0007-comic.cbz"),
      ("comic.CB7", "7z", "0007-comic.cb7"),
      ("comic.cbr", "rar", "0007-comic.cbr"),
      ("comic.cbt", "tar", "0007-comic.cbt"),
      ("comic.cbr", "zip", "0007-comic.cbr.zip"),
      ("book.epub", "zip", "0007-book.epub"),
      ("text.docx", "zip", "0007-text.docx"),
      ("drawing.ai", "pdf", "0007-drawing.ai"),
      (".cbz", "zip", "0007-cbz.cbz"),
      ("name", "bin", "0007-name.bin"),
      ("name.", "jpg", "0007-name.jpg"),
      (".jpg", "jpg", "0007-jpg.jpg"),
      ("a. .jpg", "jpg", "0007-a.jpg"),
      ("", "jpg", "0007.jpg"),
      ("...", "png", "0007.png"),
      ("x", "", "0007-x"),
      ("x", "../j P G!", "0007-x.jpg"),
      ("../../etc/passwd", "txt", "0007-_.._etc_passwd.txt"),
      ("a/b\\c:d*e?f\"g<h>i|j", "jpg", "0007-a_b_c_d_e_f_g_h_i_j.jpg"),
      ("a\u{0}b\nc\td\u{7f}e\u{9b}f", "jpg", "0007-ab c def.jpg"),
      ("photo\u{202e}gpj.exe", "jpg", "0007-photogpj.exe.jpg"),
      ("a\u{200b}b\u{feff}c\u{2066}d\u{ad}e\u{e0041}f", "jpg", "0007-abcdef.jpg"),
      ("  two \u{a0}\u{3000} spaces  ", "jpg", "0007-two spaces.jpg"),
      ("e\u{301}.jpg", "jpg", "0007-é.jpg"),
      ("e\u{200d}\u{301}.jpg", "jpg", "0007-é.jpg"),
      (".\u{301}hidden", "jpg", "0007-hidden.jpg"),
      ("CON.jpg", "jpg", "0007-CON.jpg"),
      ("日本語の名前.png", "png", "0007-日本語の名前.png"),
    ])
  func file(label: String, type: String, expected: String) {
    let name = SafeName.file(index: 7, width: 4, label: label[...], fileExtension: type)
    #expect(Array(name.unicodeScalars) == Array(expected.unicodeScalars), "\(name)")
  }

  @Test("A device's name of maximum length is not made longer")
  func longDevice() {
    let name = SafeName.folder("CON." + String(repeating: "x", count: 300))
    #expect(name.hasPrefix("_CON.x"))
    #expect(name.utf8.count == SafeName.maximumLength)
  }

  @Test("The index is padded to the width and never cut")
  func index() {
    func name(_ index: Int, _ width: Int) -> String {
      SafeName.file(index: index, width: width, label: "a", fileExtension: "jpg")
    }
    #expect(name(1, 1) == "1-a.jpg")
    #expect(name(42, 6) == "000042-a.jpg")
    #expect(name(12_345, 2) == "12345-a.jpg")
    #expect(name(1, -5) == "1-a.jpg")
    #expect(name(1, .max) == "00000000000000000001-a.jpg")
    #expect(name(.min, 0) == "9223372036854775808-a.jpg")
  }

  @Test(
    "A title becomes a folder name",
    arguments: [
      ("flags.json", "flags.json"), ("", "untitled"), (" . ", "untitled"), ("\u{200b}", "untitled"),
      (".imgdl", "imgdl"), ("..", "untitled"), ("a/b", "a_b"), ("CON", "_CON"), ("con", "_con"),
      ("Nul.txt", "_Nul.txt"), ("aux .x", "_aux .x"), ("COM1", "_COM1"), ("lpt9.a.b", "_lpt9.a.b"),
      ("COM¹", "_COM¹"), ("COM10", "COM10"), ("COMA", "COMA"), ("CONSOLE", "CONSOLE"),
      ("conout$", "_conout$"), ("end. . ", "end"), ("\u{301}mark", "mark"), ("-rf", "-rf"),
      ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"),
      (
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
        "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"
      ),
      ("\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200D}\u{937}"),
      ("a\u{200C}b\u{200D}c", "abc"),
      ("\u{200D}\u{645}\u{200C}\u{200C}\u{62E}\u{200C}", "\u{645}\u{200C}\u{62E}"),
    ])
  func folder(title: String, expected: String) {
    #expect(SafeName.folder(title) == expected)
  }

  @Test("A name is shortened before its extension and behind its index, to any limit")
  func shortened() {
    let name = "0001-" + String(repeating: "ü", count: 80) + ".jpeg"
    #expect(SafeName.shortened(name, to: 200) == name)
    for limit in 20...170 {
      let short = SafeName.shortened(name, to: limit)
      #expect(short.utf8.count <= limit && short.utf8.count > min(limit, name.utf8.count) - 2)
      #expect(short.hasPrefix("0001-ü") && short.hasSuffix("ü.jpeg"))
    }
    #expect(SafeName.shortened(name, to: 11) == "0001.jpeg")
    #expect(SafeName.shortened(name, to: 1) == "0001.jpeg")
    let folder = SafeName.folder(String(repeating: "x", count: 300), limit: 143)
    #expect(folder.utf8.count == 143)
    let file = SafeName.file(
      index: 7, width: 4, label: String(repeating: "x", count: 300)[...], fileExtension: "png",
      limit: 143)
    #expect(file.utf8.count == 143 && file.hasPrefix("0007-x") && file.hasSuffix("x.png"))
  }

  @Test("A long name is truncated between characters; the index and the extension stay")
  func cut() {
    let long = String(repeating: "é", count: 500)
    let name = SafeName.file(index: 1, width: 4, label: (long + ".jpeg")[...], fileExtension: "jpg")
    #expect(name == "0001-" + String(repeating: "é", count: 95) + ".jpg")
    let flags = String(repeating: "🇩🇪", count: 60)
    #expect(SafeName.folder(flags) == String(repeating: "🇩🇪", count: 25))
    let spaced = String(repeating: "a", count: 198) + "  . b"
    #expect(SafeName.folder(spaced) == String(repeating: "a", count: 198))
    let marks = "a" + String(repeating: "\u{301}\u{302}", count: 200)
    #expect(SafeName.folder("b" + marks) == "b")
  }

  @Test("A character that is longer than a name is truncated between its marks")
  func hugeCharacter() {
    let title = "e" + String(repeating: "\u{301}\u{300}", count: 1_000)
    let folder = SafeName.folder(title)
    #expect(
      folder.unicodeScalars.starts(with: "\u{e9}\u{300}".unicodeScalars)
        && (198...200).contains(folder.utf8.count))
    let name = SafeName.file(index: 1, width: 4, label: title[...], fileExtension: "png")
    #expect(name.unicodeScalars.starts(with: "0001-\u{e9}\u{300}".unicodeScalars))
    #expect(name.hasSuffix(".png") && (198...200).contains(name.utf8.count))
    #expect(SafeName.folder("a" + "b" + title).unicodeScalars.elementsEqual("ab".unicodeScalars))
  }

  @Test("Characters before the first mark are already composed")
  func belowMarks() throws {
    for value in UInt32(0xa1)..<0x300 where value != 0xad {
      let name = "a\(Character(try #require(Unicode.Scalar(value))))b"
      #expect(name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8))
      #expect(SafeName.folder(name).utf8.elementsEqual(name.utf8), "\(name)")
    }
  }

  @Test("Any label becomes a safe name", arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = randomText(using: &generator)
      let folder = SafeName.folder(text)
      expectSafe(folder)
      #expect(SafeName.folder(folder) == folder, "\(text.debugDescription) is not stable")
      let file = SafeName.file(
        index: .random(in: 0...99_999, using: &generator), width: 5, label: text[...],
        fileExtension: "jpg")
      expectSafe(file)
      #expect(file.hasSuffix(".jpg") && file.unicodeScalars.prefix(5).allSatisfy { $0.isASCII })
    }
  }

  private func randomText(using generator: inout SeededGenerator) -> String {
    let special = Array(
      "/\\<>:\"|?*.. \u{0}\n\u{202e}\u{200b}\u{301}\u{1161}\u{11a8}CONul1".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...120, using: &generator) {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text.append(special[Int.random(in: 0..<special.count, using: &generator)])
      case 1: text.append(Unicode.Scalar(UInt8.random(in: 0...255, using: &generator)))
      case 2:
        let value = UInt32.random(in: 0...0x2fff, using: &generator)
        text.append(Unicode.Scalar(value) ?? "x")
      default:
        let value = UInt32.random(in: 0...0x10_ffff, using: &generator)
        text.append(Unicode.Scalar(value) ?? "y")
      }
    }
    return String(text)
  }

  private static let joiners: Set<Unicode.Scalar> = ["\u{200c}", "\u{200d}"]

  private func expectSafe(_ name: String) {
    let shown = Comment(rawValue: name.debugDescription)
    #expect(!name.isEmpty, shown)
    #expect(name.utf8.count <= SafeName.maximumLength, shown)
    let forbidden = Set("/\\<>:\"|?*".unicodeScalars)
    var previous: Unicode.Scalar = "a"
    for scalar in name.unicodeScalars {
      defer { previous = scalar }
      if Self.joiners.contains(scalar) {
        #expect(previous.value >= 0x0600 && !Self.joiners.contains(previous), shown)
        continue
      }
      let category = scalar.properties.generalCategory
      #expect(category != .control && category != .format, shown)
      #expect(!forbidden.contains(scalar), shown)
      #expect(!scalar.properties.isDefaultIgnorableCodePoint, shown)
    }
    for end in [name.unicodeScalars.first, name.unicodeScalars.last] {
      #expect(end != "." && end != " ", shown)
      #expect(end.map { !Self.joiners.contains($0) } ?? false, shown)
    }
    let composed = name.precomposedStringWithCanonicalMapping
    #expect(composed.utf8.elementsEqual(name.utf8), shown)
    #expect(!["CON", "NUL", "COM1"].contains(name.uppercased()), shown)
  }

  @Test(
    "Names are equal under case folding",
    arguments: [
      ("a", "A"), ("Ärger", "äRGER"), ("e\u{301}", "É"), ("straße", "STRASSE"), ("ς", "Σ"),
      ("\u{212a}", "k"), ("ŉ", "ʼN"), ("STRA\u{1e9e}E", "straße"), ("\u{1e9e}", "SS"),
    ])
  func foldingKey(a: String, b: String) {
    #expect(SafeName.foldingKey(a).utf8.elementsEqual(SafeName.foldingKey(b).utf8))
    let key = SafeName.foldingKey(a)
    #expect(SafeName.foldingKey(key).utf8.elementsEqual(key.utf8))
    #expect(SafeName.foldingKey(a) != SafeName.foldingKey(b + "x"))
  }
}
