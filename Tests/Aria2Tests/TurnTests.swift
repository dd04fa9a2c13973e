import Testing
@testable import Aria2

/// A message of many calls, which is performed in turns of limited work.
@Suite struct TurnTests {
  private static let authority = RPCAuthority(isGranted: true)

  private static func multicall(_ calls: [String]) -> String {
    #"{"id":1,"method":"system.multicall","params":[[\#(calls.joined(separator: ","))]]}"#
  }

  private static func addition(_ number: Int) -> String {
    #"{"methodName":"aria2.addUri","params":[["http://a.example/\#(number)"]]}"#
  }

  private func turns(_ text: String, _ fixture: inout Fixture) -> (count: Int, reply: RPCReply) {
    var execution = MessageExecution(ClientMessage(Array(text.utf8)), Self.authority)
    var count = 1
    while true {
      if let reply = execution.advance(&fixture.machine) { return (count, reply) }
      count += 1
    }
  }

  @Test("a short message is performed in one turn")
  func short() throws {
    var fixture = try Fixture()
    let calls = (1...100).map { Self.addition($0) }
    #expect(turns(Self.multicall(calls), &fixture).count == 1)
    #expect(fixture.machine.unfinishedCount == 100)
  }

  @Test("a long message has the same reply in several turns, as a multicall and as a batch")
  func long() throws {
    let calls = (1...1_000).map { Self.addition($0) }
    let batch = (1...1_000).map {
      #"{"id":\#($0),"method":"aria2.addUri","params":[["http://a.example/\#($0)"]]}"#
    }
    for text in [Self.multicall(calls), "[\(batch.joined(separator: ","))]"] {
      var (first, second) = (try Fixture(), try Fixture())
      let (count, reply) = turns(text, &first)
      #expect(count >= 5)
      #expect(first.machine.unfinishedCount == 1_000)
      #expect(reply == second.send(text).reply)
    }
  }

  @Test("after a result that is too long, no further call is performed")
  func tooLong() throws {
    var fixture = try Fixture(resultLimit: 2 << 20)
    let uri = "http://a.example/" + String(repeating: "u", count: 60_000)
    for number in 1...20 { try fixture.add(fixture.gid(number), uri, #""pause":"true""#) }
    let status = #"{"methodName":"aria2.tellWaiting","params":[0,20]}"#
    let change = #"{"methodName":"aria2.saveSession"}"#
    _ = fixture.actions()
    let (text, _) = fixture.send(Self.multicall([status, status, change, status]))
    let refusal = CallDispatch.tooLong(2 << 20).message
    #expect(text.ranges(of: refusal).count == 3)
    #expect(fixture.actions() == [])
    // The next message has a limit of its own.
    #expect(fixture.send(Self.multicall([change])).text.contains("OK"))
  }
}
