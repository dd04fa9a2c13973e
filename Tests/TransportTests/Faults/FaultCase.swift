import Models
import Origin
import Transport
import TransportContracts

/// One thing that a server does, right or wrong, and what has to come of it.
struct FaultCase: Sendable {
  /// The row of the list of faults: `H2`.
  let group: String
  let name: String
  let answer: @Sendable (ReceivedRequest) -> [ScriptedServer.Action]
  /// As `Verdict` writes it.
  let expected: String
  /// Where TLS makes another case of it.
  let expectedOverTLS: String
  let limits: TransferLimits
  /// What is answered to every request, where it is always the same, and what comes then.
  let text: String?
  let ending: [ScriptedServer.Action]

  init(
    _ group: String, _ name: String, _ expected: String, overTLS: String? = nil,
    limits: TransferLimits = .faults, text: String? = nil, then: [ScriptedServer.Action] = [],
    answer: @escaping @Sendable (ReceivedRequest) -> [ScriptedServer.Action]
  ) {
    self.group = group
    self.name = name
    self.expected = expected
    expectedOverTLS = overTLS ?? expected
    self.limits = limits
    self.text = text
    ending = then
    self.answer = answer
  }

  /// The same bytes for every request, and what the server does then.
  init(
    _ group: String, _ name: String, _ text: String, then: [ScriptedServer.Action] = [],
    _ expected: String, overTLS: String? = nil
  ) {
    self.init(group, name, expected, overTLS: overTLS, text: text, then: then) { _ in
      [.sendString(text)] + then
    }
  }

  func expected(_ scheme: Scheme) -> String { scheme == .http ? expected : expectedOverTLS }
}

extension TransferLimits {
  static var faults: TransferLimits {
    var limits = TransferLimits()
    limits.connectTimeout = 10
    limits.idleTimeout = 10
    limits.totalTimeout = 30
    return limits
  }

  /// For servers that say nothing: whole seconds, because URLSession knows no shorter ones.
  static var impatient: TransferLimits { faults.with { $0.idleTimeout = 1 } }
}

/// When the fault comes.
enum Position: String, CaseIterable, Sendable {
  /// On the first request of a connection.
  case first
  /// On a request for the rest of a file.
  case resumed
  /// On the second request of a connection.
  case reused

  var fields: HTTPFields {
    self == .resumed ? HTTPFields(["Range": "bytes=2-", "If-Range": "\"v1\""]) : HTTPFields()
  }
}

/// What a transport made of an exchange, in words that compare.
enum Verdict {
  static func of(_ response: TransportResponse, _ body: [UInt8]) -> String {
    var text = "\(response.head.status) \(describe(body))"
    if case .complete(_, false) = response.body { text += ", length unknown" }
    if response.redirectCount > 0 { text += ", \(response.redirectCount) redirects" }
    return text
  }

  /// Whether the connection must not be used any more. A redirect that is not followed is a valid
  /// message.
  static func isOfBrokenMessage(_ verdict: String) -> Bool {
    ["connectionLost", "truncated", "protocolViolation", "limitExceeded", "helperDied"]
      .contains { verdict.hasPrefix($0) }
  }

  /// Whether two verdicts mean the same: a connection that broke off.
  static func isSame(_ a: String, _ b: String) -> Bool {
    let brokenOff = ["connectionLost", "truncated"]
    return a == b || brokenOff.contains(a) && brokenOff.contains(b)
  }

  private static func describe(_ body: [UInt8]) -> String {
    let isShort = body.count <= 12 && body.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
    return isShort ? "\"\(String(decoding: body, as: UTF8.self))\"" : "\(body.count) bytes"
  }
}
