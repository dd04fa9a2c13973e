import Models
import SystemCalls
import Testing
import Transport

@testable import TransportSocket

@Suite("Dialing")
struct DialingTests {
  private static let four = IPAddress(v4: 0x0a00_0001)

  @Test("The reason of an attempt is what tells most: an address, the policy, the servers of names")
  func reasons() {
    var failures = DialFailures()
    #expect(failures.reason(host: "\"a\"", family: nil).detail == "\"a\" has no address")
    #expect(failures.reason(host: "\"a\"", family: .v6).detail == "\"a\" has no address of IPv6")
    failures.recordFailedLookUp(ResolveError(.noAddress, "none"))
    #expect(failures.reason(host: "\"a\"", family: nil).detail == "\"a\" has no address")
    failures.recordFailedLookUp(ResolveError(.timeout, "no answer"))
    failures.recordFailedLookUp(ResolveError(.noAddress, "none"))
    #expect(failures.reason(host: "\"a\"", family: nil).detail == "cannot resolve \"a\": no answer")
    failures.recordForbiddenAddress(Self.four)
    #expect(failures.reason(host: "\"a\"", family: nil).code == .addressRefused)
    failures.recordFailedAddress(.connectionRefused, "refused")
    #expect(failures.reason(host: "\"a\"", family: nil).code == .connectionRefused)
  }

  @Test("Every address that found no descriptor is tried again")
  func waitingAddresses() throws {
    let attempt = ConnectionAttempt(token: 1, transfer: try LoopFixture.transfer())
    let addresses = (1...2).map { ResolvedAddress(ip: IPAddress(v4: $0), scope: 0) }
    #expect(attempt.dequeueWaiting() == nil)
    for (time, address) in zip([10, 20] as [UInt64], addresses) {
      attempt.waitForDescriptor(address, until: time)
    }
    #expect(attempt.nextDeadline == 20)
    #expect(attempt.dequeueWaiting() == addresses[0])
    #expect(attempt.nextDeadline == 20)
    #expect(attempt.dequeueWaiting() == addresses[1])
    #expect(!attempt.isWaitingForDescriptor)
    #expect(attempt.nextDeadline == Moment.never)
  }

  @Test("A tunnel opens however the proxy's answer is cut", arguments: [1, 7, 1_000])
  func tunnel(pieces: Int) throws {
    let fixture = try LoopFixture()
    let (socket, proxy) = try fixture.socket()
    let handshake = Handshake(socket, through: try Self.makeTunnel(), fixture.reader)
    guard case .wait = handshake.advance() else {
      Issue.record("the tunnel is open before the proxy has answered")
      return
    }
    #expect(try proxy.receive().hasPrefix("CONNECT a.example:443 HTTP/1.1\r\n"))
    let answer = Array("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n")
    var opened = false
    for start in stride(from: 0, to: answer.count, by: pieces) {
      #expect(!opened)
      try proxy.send(String(answer[start..<min(answer.count, start + pieces)]))
      if case .tunnelOpened = handshake.advance() { opened = true }
    }
    #expect(opened)
  }

  @Test("A proxy that wants a password fails the handshake with its reason")
  func refusedTunnel() throws {
    let fixture = try LoopFixture()
    let (socket, proxy) = try fixture.socket()
    let handshake = Handshake(socket, through: try Self.makeTunnel(), fixture.reader)
    _ = handshake.advance()
    try proxy.send("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
    guard case .failed(.proxy, let detail) = handshake.advance() else {
      Issue.record("the handshake goes on")
      return
    }
    #expect(detail.contains("user name and a password"))
  }

  private static func makeTunnel() throws -> ConnectTunnel {
    try ConnectTunnel(
      try ProxyServer("http://p.example:3128"), to: try HTTPURL("https://a.example/").origin,
      userAgent: "imgdl", limits: SocketOptions().headLimits)
  }
}

@Suite("Registry of a loop")
struct RegistryTests {
  private let registry = Registry()

  /// An attempt that has the next token and this deadline.
  private func attempt(_ deadline: UInt64) throws -> ConnectionAttempt {
    let attempt = ConnectionAttempt(
      token: registry.makeToken(), transfer: try LoopFixture.transfer())
    attempt.setDeadline(deadline)
    registry[attempt.token] = .attempt(attempt)
    registry.arm(attempt)
    return attempt
  }

  /// The tokens that are due, in order.
  private func due(_ now: UInt64) -> [UInt64] {
    var tokens: [UInt64] = []
    while let registration = registry.nextDue(now) {
      if case .attempt(let attempt) = registration { tokens.append(attempt.token) }
    }
    return tokens
  }

  @Test("Deadlines come in order, those of removed tokens not at all")
  func order() throws {
    let late = try attempt(30)
    let early = try attempt(10)
    let gone = try attempt(20)
    registry.remove(gone.token)
    #expect(registry.nextDeadline == 10)
    #expect(due(9) == [])
    #expect(due(40) == [early.token, late.token])
    #expect(registry.nextDeadline == Moment.never)
  }

  @Test("A deadline that moved forward comes once, one that moved back is looked at twice")
  func moved() throws {
    let attempt = try attempt(30)
    attempt.setDeadline(10)
    registry.arm(attempt)
    #expect(due(10) == [attempt.token])
    #expect(due(30) == [])
    attempt.setDeadline(50)
    registry.arm(attempt)
    attempt.setDeadline(70)
    registry.arm(attempt)
    #expect(due(50) == [attempt.token])
    registry.arm(attempt)
    #expect(due(70) == [attempt.token])
  }

  @Test("What takes over a token does not get the deadlines of the owner before")
  func takenOver() throws {
    let attempt = try attempt(10)
    registry[attempt.token] = .candidate(attempt)
    #expect(due(10) == [])
  }
}
