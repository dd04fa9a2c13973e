import Testing

@testable import Aria2

@Suite("The copy of the session that a client names")
struct SessionCopyTests {
  @Test(
    "It is a visible file in the folder of the library itself",
    arguments: [
      ("/library/_session.txt", "_session.txt"), ("mine.session", "mine.session"),
      ("/library/é.txt", "é.txt"), ("/library/a..txt", "a..txt"),
      ("/library/.txt", nil), ("/library/.imgdl/x.txt", nil), ("/library/sub/x.txt", nil),
      ("sub/x.txt", nil), ("../x.txt", nil), ("/library/../x.txt", nil), ("/etc/x.txt", nil),
      ("/library2/x.txt", nil), ("/libraryx.txt", nil), ("/library/", nil), ("/library", nil),
      ("", nil), ("x", nil), ("x.jpg", nil), ("a\u{1}b.txt", nil), ("//library/x.txt", nil),
      (String(repeating: "a", count: 196) + ".txt", String(repeating: "a", count: 196) + ".txt"),
      (String(repeating: "a", count: 197) + ".txt", nil),
    ] as [(String, String?)])
  func names(_ path: String, _ name: String?) {
    #expect(SessionCopy(path, in: "/library")?.name == name)
  }

  @Test("A permitted file is an option with an effect; every other one is reported and ignored")
  func option() throws {
    var fixture = try Fixture()
    for (path, name, actions) in [
      ("/library/_session.txt", "_session.txt", []),
      ("/etc/x.txt", nil, [Aria2Action.reportIgnoredOption("save-session")]),
    ] {
      _ = try fixture.call("aria2.changeGlobalOption", #"[{"save-session":"\#(path)"}]"#)
      #expect(fixture.machine.sessionCopyName == name)
      #expect(fixture.actions() == actions)
    }
  }
}
