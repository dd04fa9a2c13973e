import Models
import Testing
@testable import Aria2

@Suite struct SessionTests {
  @Test("input files of aria2 are read")
  func reading() {
    let file = InputFile(
      """
       ignored=before
      # a comment
      http://a.example/1\thttp://b.example/1
       gid=0000000000000001
      \tpause=true
        out=a=b
        # another comment
        nothing

      # imgdl-resource 12
      http://a.example/2\r
      # imgdl-resource -1
      """)
    #expect(file.entries.count == 2)
    #expect(file.entries.first?.uris == ["http://a.example/1", "http://b.example/1"])
    #expect(file.entries.first?.resource == ResourceID(12))
    #expect(
      file.entries.first?.options == [
        .init(name: "gid", value: "0000000000000001"), .init(name: "pause", value: "true"),
        .init(name: "out", value: "a=b"),
      ])
    #expect(file.entries.last?.uris == ["http://a.example/2"] && file.entries.last?.resource == nil)
  }

  @Test("a session is written and continued")
  func roundTrip() throws {
    var fixture = try Fixture([("max-concurrent-downloads", "1")])
    _ = try fixture.call(
      "aria2.addUri",
      #"[["http://a.example/1","http://b.example/1"],{"gid":"\#(Fixture.one)","header":["A: 1","B: 2"],"out":"x"}]"#
    )
    try fixture.addResource(5, to: Fixture.one)
    try fixture.add(Fixture.two, "http://a.example/2", #""pause":"true""#)
    try fixture.add(Fixture.three, "http://a.example/3")
    _ = try fixture.call("aria2.addUri", #"[["magnet:?x"]]"#)
    let text = fixture.machine.sessionText
    #expect(
      text == """
        http://a.example/1\thttp://b.example/1
        # imgdl-resource 5
         gid=0000000000000001
         out=x
         header=A: 1
         header=B: 2
        http://a.example/2
         gid=0000000000000002
         pause=true
        http://a.example/3
         gid=0000000000000003

        """)
    var next = try Fixture([("max-concurrent-downloads", "1")])
    #expect(next.machine.load(InputFile(text)) == [])
    guard case .start(let order)? = next.actions().last else {
      Issue.record("no start")
      return
    }
    #expect(order.resource == ResourceID(5) && order.fileName == "x" && order.fields.count == 2)
    #expect(next.machine.sessionText == text)
    // Loading again adds nothing.
    #expect(next.machine.load(InputFile(text)) == [] && next.machine.sessionText == text)
  }

  @Test("entries that cannot be used are reported")
  func problems() throws {
    var fixture = try Fixture()
    let problems = fixture.machine.load(
      InputFile("ftp://a.example/\nhttp://a.example/\n dir=/etc\nhttp://b.example/\n"))
    #expect(
      problems == [
        "ftp://a.example/: No URI to download.",
        "http://a.example/: The option dir must be a folder below /library.",
      ])
    #expect(fixture.machine.activeCount == 1)
  }

  @Test("only changes that the session contains count as changes")
  func changes() throws {
    var fixture = try Fixture()
    let start = fixture.machine.changeCount
    for method in ["aria2.tellActive", "aria2.getGlobalStat", "aria2.purgeDownloadResult"] {
      _ = try fixture.call(method)
    }
    #expect(fixture.machine.changeCount == start)
    try fixture.addPaused(2)
    let added = fixture.machine.changeCount
    #expect(added > start)
    _ = try fixture.call("aria2.changePosition", "[\"\(Fixture.one)\",1,\"POS_SET\"]")
    #expect(fixture.machine.changeCount > added)
  }
}
