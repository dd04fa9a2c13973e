import Foundation
import Composition
import Models
import Transport
import Wiring

/// `exchange [NAME=VALUE...]`: makes the requests that come as lines of JSON on standard input, each as
/// often as it says and then at the same time, and prints what came of each as a line of JSON.
///
/// The settings are those of `imgdl-cli --set`. Exit code 3: there is no such setting.
@main enum Exchange {
  static func main() async throws {
    var settings = Settings()
    do {
      for word in CommandLine.arguments.dropFirst() {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        try SettingsSchema.set(parts[0], to: .text(value), in: &settings)
      }
    } catch {
      FileHandle.standardError.write(Data("exchange: \(error)\n".utf8))
      exit(3)
    }
    var container = try Container(
      Adapters.catalogue(settings, spoolFolder: "/dev/shm"), choosing: Adapters.choices(settings))
    let transport = try container.resolve(.transport)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    while let line = readLine() {
      let order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
      let answers = try await fetch(order, transport)
      print(String(decoding: try encoder.encode(answers), as: UTF8.self))
      fflush(nil)
    }
    await transport.shutdown()
  }

  private static func fetch(
    _ order: Order, _ transport: any Transport
  ) async throws -> [Answer] {
    var fields = HTTPFields()
    for (name, value) in order.fields ?? [:] { fields.append(name, value) }
    let request = TransportRequest(url: try HTTPURL(order.url), fields: fields, addresses: .any)
    return try await withThrowingTaskGroup(of: Answer.self) { group in
      for _ in 0..<(order.times ?? 1) {
        group.addTask { try await fetch(request, into: order.output, transport) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private static func fetch(
    _ request: TransportRequest, into output: String?, _ transport: any Transport
  ) async throws -> Answer {
    let sink = FileSink()
    var answer = Answer()
    do {
      let response = try await transport.perform(request, into: sink)
      answer.status = response.head.status
      answer.url = response.head.url.description
      answer.redirects = response.redirectCount
      for field in response.head.fields.fields {
        answer.fields[field.name.lowercased()] = field.value
      }
      if case .complete(_, let isKnown) = response.body { answer.isLengthKnown = isKnown }
    } catch {
      answer.error = error.code.rawValue
      answer.detail = error.detail
    }
    answer.length = sink.bytes.count
    if let output { try sink.bytes.write(to: URL(fileURLWithPath: output)) }
    return answer
  }
}

private struct Order: Decodable {
  let url: String
  let fields: [String: String]?
  /// At the same time; default: once.
  let times: Int?
  /// Where the body goes.
  let output: String?
}

private struct Answer: Encodable {
  var status: Int?
  var url: String?
  var redirects: Int?
  var fields: [String: String] = [:]
  var length = 0
  var isLengthKnown: Bool?
  var error: String?
  var detail: String?
}

/// Keeps the body. `@unchecked`: the transport calls it on one thread at a time, and it is read when the
/// transfer is over.
private final class FileSink: BodySink, @unchecked Sendable {
  private(set) var bytes = Data()

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision { .accept }

  func receive(_ span: RawSpan) throws(SinkError) {
    span.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}
