import Models
import Terminal
import Testing

@testable import Screens

@Suite("The password of an encrypted file")
struct PasswordTests {
  /// Letters that no text of the screens has, so that each of them can be looked for.
  static let secret = "ЖЩЮЯ"
  static let pdf = 0
  static let zip = 1
  static let mixedZip = 2

  /// An encrypted document, an encrypted archive, one that also has a plain image, and two plain files.
  static func library(unlocked: Set<Int> = [], isLazy: Bool = false) -> FakeRows {
    var rows = FakeRows(records: [
      FakeRows.record(1, "Papers", total: 5, finished: 2, failed: 3, isLazy: isLazy)
    ])
    rows.resource = { record, index in
      let reason = "the file is encrypted and needs a password" + Resource.passwordHint
      let names = ["a.pdf", "b.cbz", "c.cbz"]
      guard index < names.count else { return FakeRows.resource(record, index) }
      let format: ResourceFormat = index == pdf ? .pdf : .zip
      if unlocked.contains(index) {
        return FakeRows.resource(record, index, pages: 3, format: format, title: names[index])
      }
      return FakeRows.resource(
        record, index, state: .failed, pages: index == mixedZip ? 1 : 0, format: format,
        reason: reason, title: names[index])
    }
    return rows
  }

  static func id(_ index: Int) -> ResourceID { ResourceID(Int64(1_000_000 + index)) }

  /// Screen 2 with the file selected.
  static func stage(
    _ index: Int = pdf, _ columns: Int = 80, _ rows: Int = 24, unlocked: Set<Int> = []
  ) -> Stage {
    var stage = Stage(columns, rows, library: library(unlocked: unlocked))
    stage.press("enter")
    stage.pass(1)
    for _ in 0..<index { stage.press("right") }
    stage.pass(1)
    return stage
  }

  static func requests(_ stage: inout Stage) -> [UnlockRequest] {
    stage.takeEffects().compactMap { if case .unlock(let request) = $0 { request } else { nil } }
  }

  /// The engine takes the password that was typed: the row is another one from now on.
  static func unlock(_ index: Int, _ stage: inout Stage) throws {
    stage.type(secret)
    stage.press("enter")
    let request = try #require(requests(&stage).last)
    #expect(request.resource == id(index) && request.password.text == secret)
    stage.library = library(unlocked: [index])
    stage.send(.unlockAnswered(request, .unlocked))
    stage.pass(1)
  }

  static func expectSecret(
    _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var dumped = ""
    dump(stage.state, to: &dumped)
    dump(stage.effects, to: &dumped)
    let texts = [
      stage.text, String(describing: stage.state), String(reflecting: stage.state), dumped,
      String(describing: stage.effects), String(reflecting: stage.effects),
    ]
    for text in texts {
      #expect(!text.contains { secret.contains($0) }, sourceLocation: sourceLocation)
    }
  }

  @Test("is requested by a tile, a row and the line below them")
  func told() {
    var stage = Self.stage()
    #expect(stage.text.contains("Needs a password"))
    #expect(stage.text.contains("Encrypted; Enter asks for the password of a.pdf"))
    #expect(!stage.text.contains("--password-file") && !stage.text.contains("Error"))
    stage.press("v")
    #expect(stage.text.contains("Needs a password"))
    #expect(!stage.text.contains("--password-file") && !stage.text.contains("Error"))
  }

  @Test("is requested in a dialog that names the file and fits", arguments: [(40, 12), (80, 24)])
  func dialog(_ columns: Int, _ rows: Int) throws {
    var stage = Self.stage(Self.mixedZip, columns, rows)
    stage.press("enter")
    #expect(stage.state.screenKind == .resources)
    stage.type(Self.secret)
    try Golden.expect(stage.text, "password-\(columns)x\(rows)")
    #expect(stage.state.draw().buffer.cursor != nil)
  }

  @Test("is shown as dots, and is in no description of the state and its requests")
  func masked() throws {
    var stage = Self.stage()
    stage.press("enter")
    for character in Self.secret {
      stage.type(String(character))
      Self.expectSecret(stage)
    }
    #expect(stage.text.contains("••••") && !stage.text.contains("•••••"))
    stage.press("enter")
    #expect(stage.text.contains("Opening …"))
    Self.expectSecret(stage)
    let request = try #require(Self.requests(&stage).last)
    stage.send(.unlockAnswered(request, .wrongPassword))
    Self.expectSecret(stage)
    try Self.unlock(Self.pdf, &stage)
    #expect(stage.state.screenKind == .viewer)
    Self.expectSecret(stage)
  }

  @Test("can be edited without revealing its words")
  func editing() {
    var field = TextField(isMasked: true)
    field.insert("two words")
    _ = field.handle("^w")
    #expect(field.text.isEmpty && field.cursor == 0)
    field.insert("abc")
    _ = field.handle("left")
    _ = field.handle("backspace")
    #expect(field.text == "ac" && String(describing: field) == "(hidden)")
  }

  @Test("is pasted unchanged, without the line break after it")
  func paste() throws {
    var stage = Self.stage()
    stage.press("enter", "tab")
    stage.send(.terminal(.paste(Paste(" \(Self.secret) \n"))))
    #expect(stage.text.contains("••••••"))
    stage.press("enter")
    #expect(Self.requests(&stage).map(\.password.text) == [" \(Self.secret) "])
  }

  @Test("is reported as wrong, the field is emptied, and the next one is tried")
  func wrong() throws {
    var stage = Self.stage()
    stage.press("enter")
    stage.type("guess")
    stage.press("enter")
    let request = try #require(Self.requests(&stage).last)
    // Nothing else is tried meanwhile.
    stage.type("more")
    stage.press("enter")
    #expect(Self.requests(&stage).isEmpty)
    stage.send(.unlockAnswered(request, .wrongPassword))
    #expect(stage.text.contains("Wrong password."))
    #expect(!stage.text.contains("••••"))
    #expect(stage.state.screenKind == .resources)
    try Self.unlock(Self.pdf, &stage)
    #expect(stage.state.dialog == nil)
    #expect(stage.lines[0].contains("a.pdf") && stage.lines[0].contains("page 1/3  1/5"))
  }

  @Test("that is empty or too long is not tried")
  func impossible() {
    var stage = Self.stage()
    stage.press("enter", "enter")
    stage.send(
      .terminal(.paste(Paste(String(repeating: "x", count: 1_025)))))
    stage.press("enter")
    #expect(stage.text.contains("A password has 1024 bytes at most."))
    #expect(Self.requests(&stage).isEmpty)
  }

  @Test(
    "is not passed on after Esc or Cancel, and a later response opens nothing",
    arguments: [["escape"], ["^c"], ["tab", "tab", "enter"], ["up", " "]])
  func cancel(_ keys: [String]) throws {
    var stage = Self.stage()
    stage.press("enter")
    stage.type(Self.secret)
    for key in keys { stage.press(key) }
    #expect(stage.state.dialog == nil && stage.state.screenKind == .resources)
    #expect(Self.requests(&stage).isEmpty)
    stage.press("enter")
    #expect(!stage.text.contains("••••"))
    stage.type(Self.secret)
    stage.press("enter", "escape")
    let request = try #require(Self.requests(&stage).last)
    stage.send(.unlockAnswered(request, .unlocked))
    #expect(stage.state.dialog == nil && stage.state.screenKind == .resources)
    #expect(!stage.path.contains(.viewer))
  }

  @Test("can be entered and cancelled with the mouse")
  func mouse() throws {
    var stage = Self.stage()
    let tile = try #require(stage.find("Needs a password"))
    stage.click(tile.column, tile.row)
    let cancel = try #require(stage.find("Cancel"))
    stage.click(cancel.column, cancel.row)
    #expect(stage.state.dialog == nil)
    stage.click(tile.column, tile.row)
    stage.type(Self.secret)
    let confirm = try #require(stage.find("OK"))
    stage.click(confirm.column, confirm.row)
    #expect(Self.requests(&stage).map(\.resource) == [Self.id(Self.pdf)])
  }

  @Test("could not be tried: the reason is shown like that of any other failure")
  func failure() throws {
    var stage = Self.stage()
    stage.press("enter")
    stage.type(Self.secret)
    stage.press("enter")
    let request = try #require(Self.requests(&stage).last)
    stage.send(.unlockAnswered(request, .failed("resource 1: its file is gone")))
    #expect(stage.state.dialog == nil && stage.state.screenKind == .resources)
    #expect(stage.text.contains("⚠ Papers, resource 1: its file is gone"), "\(stage.text)")
    // It is about this record: the list of all of them does not show it.
    stage.press("escape")
    #expect(stage.state.screenKind == .records)
    #expect(!stage.text.contains("its file is gone"))
  }

  @Test("could not be tried after the dialog was closed: the record is named in the message")
  func lateFailure() throws {
    var stage = Self.stage()
    stage.press("enter")
    stage.type(Self.secret)
    stage.press("enter")
    let request = try #require(Self.requests(&stage).last)
    let cancel = try #require(stage.find("Cancel"))
    stage.click(cancel.column, cancel.row)
    stage.press("escape")
    stage.send(.unlockAnswered(request, .failed("resource 1: its file is gone")))
    #expect(stage.text.contains("⚠ Papers, resource 1: its file is gone"), "\(stage.text)")
    // And goes by itself after the usual time.
    stage.pass(11)
    #expect(!stage.text.contains("its file is gone"))
  }

  @Test("of a document is sent with every request for its pages, and is forgotten with the viewer")
  func forgotten() throws {
    func orders(_ stage: inout Stage) -> [ImageOrder] {
      stage.takeEffects().compactMap { if case .decode(let order) = $0 { order } else { nil } }
    }
    var stage = Self.stage()
    stage.press("enter")
    try Self.unlock(Self.pdf, &stage)
    let opened = orders(&stage)
    #expect(opened.last?.passwords.keys.map(\.self) == [Self.id(Self.pdf)])
    #expect(opened.last?.keys.first?.resource == Self.id(Self.pdf))
    // What the password shows is not kept without it.
    let image = try #require(
      Image(width: 8, height: 8, format: .rgb, pixels: [UInt8](repeating: 9, count: 192)))
    for key in opened.last?.keys ?? [] { stage.send(.image(key, .image(image))) }
    let shown = try #require(opened.last?.keys.first)
    #expect(stage.state.images.image(shown) != nil)
    stage.press("escape")
    stage.pass(1)
    #expect(!stage.path.contains(.viewer) && stage.state.images.wantedImages.passwords.isEmpty)
    #expect(stage.state.images.image(shown) == nil)
    #expect(orders(&stage).last?.passwords.isEmpty == true)
    // It is asked for again, although the engine has the pages now.
    stage.press("enter")
    #expect(stage.text.contains("Password of a.pdf"))
    stage.press("escape")
    #expect(stage.state.screenKind == .resources)
  }

  @Test("of a document that was closed is requested by Enter if the viewer returns to it")
  func browsing() throws {
    var stage = Self.stage()
    stage.press("enter")
    try Self.unlock(Self.pdf, &stage)
    stage.press("escape", "right", "right", "right", "enter", "home")
    stage.pass(1)
    #expect(stage.lines[0].contains("a.pdf"))
    #expect(stage.text.contains("Needs a password") && stage.text.contains("Enter asks for it"))
    _ = stage.takeEffects()
    stage.press("enter")
    try Self.unlock(Self.pdf, &stage)
    #expect(stage.path == [.records, .resources, .viewer])
    #expect(stage.state.images.wantedImages.passwords.count == 1)
    #expect(!stage.text.contains("Needs a password"))
    // A file that needs none is not asked about.
    stage.press("end", "enter")
    #expect(stage.state.dialog == nil)
  }

  @Test("of a document that was unlocked in another window is requested when a page needs it")
  func pageOfAnother() throws {
    var stage = Self.stage(unlocked: [Self.pdf])
    stage.press("enter")
    #expect(stage.state.screenKind == .viewer)
    stage.pass(1)
    for case .decode(let order) in stage.takeEffects() {
      for key in order.keys where key.resource == Self.id(Self.pdf) && key.page > 0 {
        stage.send(.image(key, .encrypted("the PDF file is encrypted and needs a password")))
      }
    }
    #expect(!stage.text.contains("Needs a password"))
    stage.press(" ")
    #expect(stage.text.contains("Needs a password"))
    stage.press("enter")
    #expect(stage.text.contains("Password of a.pdf"))
    try Self.unlock(Self.pdf, &stage)
    #expect(stage.lines[0].contains("page 2/3") && !stage.text.contains("Needs a password"))
    #expect(stage.state.images.wantedImages.passwords.count == 1)
  }

  @Test("of a document is not requested if another document has replaced it")
  func replaced() throws {
    var stage = Self.stage()
    stage.press("enter")
    try Self.unlock(Self.pdf, &stage)
    stage.press("escape")
    stage.library.resource = { record, index in
      var resource = FakeRows.resource(record, index)
      resource.file = FakeRows.resource(record, index + 100, format: .pdf).file
      return resource
    }
    var change = LibraryChange()
    change.records = [RecordID(1)]
    stage.send(.changed(change))
    stage.press("enter")
    #expect(stage.state.dialog == nil && stage.state.screenKind == .viewer)
  }

  @Test("of only some entries can be skipped: the others are shown")
  func rest() throws {
    var stage = Self.stage(Self.mixedZip)
    stage.press("enter", "tab", "tab")
    #expect(stage.text.contains("▸ Show the rest"))
    stage.press("enter")
    stage.pass(1)
    #expect(stage.state.dialog == nil && stage.lines[0].contains("c.cbz"))
    #expect(Self.requests(&stage).isEmpty)
    // Enter in the viewer asks again, and then there is nothing to fall back to.
    stage.press("enter")
    #expect(stage.text.contains("Password of c.cbz") && !stage.text.contains("Show the rest"))
    try Self.unlock(Self.mixedZip, &stage)
    #expect(stage.lines[0].contains("page 1/3  3/5"))
  }

  @Test("is requested in Image Details as well, and by the file, at any position of its row")
  func details() throws {
    var stage = Self.stage()
    stage.press("i", "S", "end", "enter")
    #expect(stage.text.contains("Password of a.pdf"))
    try Self.unlock(Self.pdf, &stage)
    #expect(stage.lines[0].contains("a.pdf") && stage.lines[0].contains("1/5"))
    #expect(stage.path == [.records, .resources, .details, .viewer])
  }

  @Test(
    "when its record is removed elsewhere, the dialog reports it and still accepts keys",
    arguments: [true, false])
  func removed(_ isReset: Bool) {
    var stage = Self.stage()
    stage.press("enter")
    stage.type(Self.secret)
    _ = stage.takeEffects()
    var change = LibraryChange()
    if isReset { change.wasReset = true } else { change.removed = [RecordID(1)] }
    stage.library.records = [FakeRows.record(2, "Others", total: 3, finished: 3)]
    stage.send(.changed(change))
    #expect(stage.text.contains("a.pdf was removed elsewhere"), "\(stage.text)")
    // What is left of a password may be any command: pause all, quit, open.
    stage.type("pq xDR?a/")
    stage.send(.terminal(.paste(Paste("http://x/y.json"))))
    #expect(stage.text.contains("a.pdf was removed elsewhere"))
    #expect(stage.state.screenKind == .records)
    #expect(!stage.takeEffects().contains { if case .perform = $0 { true } else { false } })
    stage.press("enter")
    #expect(stage.state.dialog == nil && stage.state.screenKind == .records)
  }
}
