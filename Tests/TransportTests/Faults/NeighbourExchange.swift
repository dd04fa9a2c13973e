import HTTP1
import Models
import Origin
import Testing
import Transport
import TransportContracts

/// A fault, and transfers that are under way on the same transport when it happens.
struct NeighbourExchange {
  struct Outcome: Equatable {
    /// Of the transfer that met the fault.
    let verdict: String
    /// Neighbours that got all of their answers, unmixed.
    let whole: Int
    /// What the neighbours asked for, together.
    let requests: Int
  }

  static let neighbours = 6

  /// The neighbours' first responses stop half-way, and continue after the verdict on the fault: a
  /// neighbour that loses its first response has to repeat the request.
  static func outcome(_ fault: FaultCase, _ transport: any Transport) async throws -> Outcome {
    let allAsked = try Gate()
    let isJudged = try Gate()
    let server = try ScriptedServer { connection, _, request in
      guard let target = request.head?.target, target != "/fault" else {
        return [.hold(allAsked)] + fault.answer(request)
      }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"\(target)\"\r\n\r\n"
      return [.sendString(head + "good ")]
        + (connection <= neighbours ? [.hold(isJudged)] : []) + [
          .sendString(String(target.suffix(5)))
        ]
    }
    defer { server.stop() }
    let culprit = Task { try await verdict(server.url + "fault", transport) }
    let whole = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1...neighbours {
        group.addTask {
          try await verdict("\(server.url)g-\(number)/", transport)
            == "200 \"good /g-\(number)/\""
        }
      }
      _ = await server.requests(count: neighbours + 1)
      allAsked.open()
      _ = try await culprit.value
      isJudged.open()
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    let requests = server.requests.count { $0.head?.target.hasPrefix("/g-") ?? false }
    return Outcome(verdict: try await culprit.value, whole: whole, requests: requests)
  }

  private static func verdict(_ url: String, _ transport: any Transport) async throws -> String {
    let sink = CollectingSink()
    let request = TransportRequest(url: try HTTPURL(url), limits: .faults, addresses: .any)
    do throws(TransportError) {
      return Verdict.of(try await transport.perform(request, into: sink), sink.body)
    } catch {
      return error.code.rawValue
    }
  }
}
