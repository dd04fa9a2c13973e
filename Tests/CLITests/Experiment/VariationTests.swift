import ProgramSupport
import Testing
@testable import CLIProgram

@Suite struct VariationTests {
  private func message(_ body: () throws(ProgramFailure) -> Void) -> String {
    do throws(ProgramFailure) {
      try body()
      return ""
    } catch {
      #expect(error.code == .usage)
      return error.message
    }
  }

  @Test("a setting and its values are read; a value may be empty or hold an equals sign")
  func values() throws {
    let variation = try Variation("adapters.transport=socket,url-session")
    #expect(variation == Variation(key: "adapters.transport", values: ["socket", "url-session"]))
    #expect(try Variation("network.caFile=,a=b").values == ["", "a=b"])
  }

  @Test(
    "an invalid value is named, with the valid ones",
    arguments: [
      ("adapters.transprot=socket", "did you mean adapters.transport?"),
      ("adapters.transport", "KEY=A,B"), ("durability=full,relax", "one of full, relaxed"),
      ("network.retries=1,2,many", "\"many\" is not a whole number"),
      ("network.retries=", "whole number"), ("network.retries=1,2,1", "'1' twice"),
      ("network.headers=Cookie: hunter2", "cannot be varied"),
    ])
  func wrong(_ text: String, _ words: String) {
    let message = message { () throws(ProgramFailure) in _ = try Variation(text) }
    #expect(message.hasPrefix("--vary: "))
    #expect(message.contains(words), "\(message)")
    #expect(!message.contains("hunter2"))
  }

  @Test("every combination occurs once, the last setting changing fastest")
  func product() throws {
    let combinations = try Combination.all(of: [
      Variation(key: "adapters.transport", values: ["socket", "url-session"]),
      Variation(key: "network.retries", values: ["0", "1", "2"]),
    ])
    #expect(
      combinations.map(\.label) == [
        "transport=socket, retries=0", "transport=socket, retries=1",
        "transport=socket, retries=2", "transport=url-session, retries=0",
        "transport=url-session, retries=1", "transport=url-session, retries=2",
      ])
    #expect(combinations[4].settings[1] == .init(key: "network.retries", value: "1"))
  }

  @Test("keys whose ends are the same are shown whole")
  func labels() throws {
    // No two settings end alike today; the rule is for those of tomorrow.
    let combinations = try Combination.all(of: [
      Variation(key: "a.size", values: ["1"]), Variation(key: "b.size", values: [""]),
    ])
    #expect(combinations.map(\.label) == ["a.size=1, b.size=\"\""])
  }

  @Test("a repeated key, and too many combinations, are refused")
  func bounds() {
    let twice = Variation(key: "network.retries", values: ["0"])
    let many = Variation(key: "a", values: (0..<40).map { "\($0)" })
    let more = Variation(key: "b", values: (0..<26).map { "\($0)" })
    #expect(
      message { () throws(ProgramFailure) in _ = try Combination.all(of: [twice, twice]) }
        .contains("network.retries occurs twice"))
    #expect(
      message { () throws(ProgramFailure) in _ = try Combination.all(of: [many, more]) }
        .contains("more than 1000"))
  }
}
