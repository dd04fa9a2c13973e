import Models
import Terminal
import Testing

@testable import Screens

extension PasswordTests {
  @Test("of an archive is needed once: it is unpacked, and no viewer keeps it")
  func archive() throws {
    var stage = Self.stage(Self.zip)
    stage.press("enter")
    #expect(!stage.text.contains("Show the rest"))
    try Self.unlock(Self.zip, &stage)
    #expect(stage.lines[0].contains("b.cbz") && stage.lines[0].contains("page 1/3  2/5"))
    #expect(stage.state.images.wantedImages.passwords.isEmpty)
    stage.press("escape")
    stage.pass(1)
    stage.press("enter")
    #expect(stage.state.dialog == nil && stage.state.screenKind == .viewer)
  }

  @Test("of an archive is not asked for by a row from before it was unlocked")
  func staleRow() throws {
    var stage = Self.stage(Self.zip)
    // A change of the record: the rows are asked for, and the answer comes after the password.
    var change = LibraryChange()
    change.isEverything = true
    let late = stage.state.reduce(.changed(change), at: stage.now)
    let answers = late.compactMap { stage.library.answer($0, &stage.rowsRead) }
    #expect(!answers.isEmpty)
    stage.press("enter")
    try Self.unlock(Self.zip, &stage)
    for answer in answers { stage.send(answer) }
    // Enter comes before the answer to what Esc asks for.
    for key in [Key.escape, .enter] {
      _ = stage.state.reduce(.terminal(.key(KeyEvent(key))), at: stage.now)
    }
    #expect(stage.state.dialog == nil && stage.state.screenKind == .viewer)
  }
}
