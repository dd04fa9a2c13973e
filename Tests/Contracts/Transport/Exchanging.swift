package import Models
package import Origin
import Testing
package import Transport

/// What came of one transfer.
package struct Fetched {
  package let response: TransportResponse
  package let body: [UInt8]
}

extension Transport {
  /// Fetches into a sink that takes everything.
  package func fetch(
    _ url: String, fields: HTTPFields = HTTPFields(), limits: TransferLimits = .testing,
    addresses: AddressPolicy = .any
  ) async throws -> Fetched {
    let sink = CollectingSink()
    let response = try await perform(
      TransportRequest(
        url: try HTTPURL(url), fields: fields, limits: limits, addresses: addresses),
      into: sink)
    #expect(sink.heads == [response.head])
    return Fetched(response: response, body: sink.body)
  }

  /// The error of a transfer that must fail.
  package func failure(
    _ url: String, fields: HTTPFields = HTTPFields(), limits: TransferLimits = .testing,
    addresses: AddressPolicy = .any, sink: CollectingSink = CollectingSink()
  ) async throws -> TransportError {
    do {
      let response = try await perform(
        TransportRequest(
          url: try HTTPURL(url), fields: fields, limits: limits, addresses: addresses),
        into: sink)
      Issue.record("succeeded with \(response.head.status), \(response.body)")
      throw UnexpectedSuccess()
    } catch let error as TransportError {
      sink.close()
      #expect(error.bytesDelivered <= Int64(sink.body.count))
      return error
    }
  }
}

package struct UnexpectedSuccess: Error {
  package init() {}
}

extension TransferLimits {
  /// Long enough for a busy machine, short enough for a test that hangs.
  package static var testing: TransferLimits {
    var limits = TransferLimits()
    limits.connectTimeout = 60
    limits.idleTimeout = 60
    limits.totalTimeout = 180
    return limits
  }

  package func with(_ change: (inout TransferLimits) -> Void) -> TransferLimits {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ScriptedServer {
  /// `https` where the servers that are made here speak TLS.
  static var scheme: String { security == nil ? "http" : "https" }

  /// Answers every request with the same bytes.
  package convenience init(answer: String) throws {
    try self.init { _, _, _ in [.sendString(answer)] }
  }

  /// Answers every request with the same bytes and ends the connection.
  package convenience init(answerAndClose answer: String) throws {
    try self.init { _, _, _ in [.sendString(answer), .close] }
  }
}

extension [ScriptedServer.Action] {
  package static func ok(_ body: [UInt8], fields: String = "") -> Self {
    [.sendString("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"), .send(body)]
  }

  package static func ok(_ body: String, fields: String = "") -> Self {
    ok([UInt8](body.utf8), fields: fields)
  }

  package static func redirect(
    _ status: Int = 302, to location: String, body: String = "", fields: String = ""
  ) -> Self {
    [
      .sendString(
        "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
    ]
  }
}

/// Bytes without a pattern, the same for the same seed (SplitMix64).
package func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var state = seed
  var words = [UInt64](repeating: 0, count: (count + 7) / 8)
  for index in words.indices {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    words[index] = value ^ (value >> 31)
  }
  return words.withUnsafeBytes { Array($0.prefix(count)) }
}
