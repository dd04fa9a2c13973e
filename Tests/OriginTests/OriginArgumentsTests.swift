import Origin
import Testing

@Suite("Arguments of imgdl-origin")
struct OriginArgumentsTests {
  @Test("are read in both forms")
  func all() throws {
    let arguments = try OriginArguments([
      "dir", "--series=ct", "--port", "8080", "--bind", "127.0.0.2", "--bind=::1", "--latency",
      "50ms",
      "--rate=2M", "--fault", "reset:5", "--fault=429:2.5", "--seed", "7", "--shuffle", "--log",
      "l",
      "--redirect", "http://127.0.0.1:81",
      "--port-file", "p", "--retry-after", "3", "--exit-with-stdin",
    ])
    let configuration = arguments.configuration
    #expect(configuration.folder == "dir")
    #expect(configuration.series == "ct")
    #expect(configuration.port == 8_080)
    #expect(configuration.addresses == ["127.0.0.2", "::1"])
    #expect(configuration.latency == .milliseconds(50))
    #expect(configuration.rate == 2 << 20)
    #expect(
      configuration.faults == [
        FaultRate(.reset, percent: 5), FaultRate(.tooManyRequests, percent: 2.5),
      ])
    #expect(configuration.seed == 7)
    #expect(configuration.jitter > .zero)
    #expect(configuration.logFile == "l")
    #expect(arguments.portFile == "p")
    #expect(configuration.retryAfter == 3)
    #expect(configuration.redirect == "http://127.0.0.1:81")
    #expect(arguments.endsWithInput)
  }

  @Test(
    "that are wrong are refused",
    arguments: [
      [], ["a", "b"], ["a", "--prot", "1"], ["a", "--port"], ["a", "--port", "x"],
      ["a", "--shuffle=1"],
      ["a", "--latency", "50"], ["a", "--latency", "-1s"], ["a", "--rate", "0"],
      ["a", "--rate", "2T"],
      ["a", "--fault", "reset"], ["a", "--fault", "rest:5"], ["a", "--fault", "reset:101"],
      ["a", "--fault", "reset:-1"], ["a", "--fault", "reset:nan"], ["a", "--seed", "-1"],
      ["a", "--rate", "99999999999999999999M"],
    ])
  func wrong(_ arguments: [String]) {
    #expect {
      try OriginArguments(arguments)
    } throws: {
      ($0 as? OriginError)?.code == .argument
    }
  }

  @Test("name every kind of fault in the help")
  func help() {
    for fault in Fault.allCases { #expect(OriginArguments.help.contains(fault.rawValue)) }
    #expect(OriginArguments.help.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
  }

  @Test("only loopback addresses are listened on", arguments: ["0.0.0.0", "192.0.2.1", "::", "x"])
  func addresses(_ address: String) throws {
    var configuration = OriginConfiguration(folder: "/")
    configuration.addresses = [address]
    #expect(throws: OriginError.self) { try OriginServer(configuration) }
  }
}
