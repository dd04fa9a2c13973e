import Models
import TestSupport
import Transport

@testable import Engine

extension Attempt {
  /// An attempt whose engine grants all connections that it wants.
  static func segmented(connections: Int = 4) throws -> Attempt {
    var attempt = try Attempt()
    attempt.settings.network.segments = connections
    attempt.settings.network.segmentBytes = 64 << 10
    attempt.settings.network.segmentSeconds = 0
    attempt.told.allowedConnections.update { $0 = connections - 1 }
    return attempt
  }

  /// Opens the gate of the stream when so many other responses have ended.
  func open(_ gate: Gate, after count: Int) async throws {
    try await transport.activity.until { $0.ended >= count }
    gate.open()
  }

  /// The ranges of all requests that had a bounded one.
  var requestedRanges: [Range<Int>] {
    transport.requests.compactMap { request in
      let bounds = request.range?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
      return bounds.count == 2 ? bounds[0]..<bounds[1] + 1 : nil
    }
  }
}

extension FakeAnswer {
  /// A file of a server that announces ranges.
  static func ranged(_ content: [UInt8], tag: String = "\"v1\"") -> FakeAnswer {
    .file(content, tag: tag).with("Accept-Ranges", "bytes")
  }
}
