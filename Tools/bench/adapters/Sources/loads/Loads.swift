import Foundation
import Composition
import Models
import Transport
import Wiring

/// `loads idle URL COUNT SECONDS` opens COUNT connections, lets them rest and prints what that costs;
/// `loads slow URL RATE` takes a body no faster than RATE bytes a second and prints the memory it took.
///
/// One line of JSON each. The environment may set the transport: `IMGDL_ADAPTERS_TRANSPORT`.
@main enum Loads {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let numbers = words.dropFirst(2).compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("idle", 2): try await idle(try HTTPURL(words[1]), numbers[0], seconds: numbers[1])
    case ("slow", 1): try await slow(try HTTPURL(words[1]), rate: numbers[0])
    default:
      FileHandle.standardError.write(
        Data("usage: loads idle URL COUNT SECONDS | loads slow URL RATE\n".utf8))
      exit(2)
    }
  }

  private static func transport() throws -> any Transport {
    var settings = Settings()
    if let name = ProcessInfo.processInfo.environment["IMGDL_ADAPTERS_TRANSPORT"] {
      settings.adapters.transport = name
    }
    var container = try Container(
      Adapters.catalogue(settings, spoolFolder: "/dev/shm"), choosing: Adapters.choices(settings))
    return try container.resolve(.transport)
  }

  /// One transport keeps 256 idle connections: several of them have as many as are wanted.
  private static func idle(_ url: HTTPURL, _ count: Int, seconds: Int) async throws {
    let share = 250
    var transports: [any Transport] = []
    for start in stride(from: 0, to: count, by: share) {
      let transport = try transport()
      transports.append(transport)
      try await open(min(share, count - start), url, transport)
    }
    let connections = ThisProcess.sockets
    let before = Usage.now
    try await Task.sleep(for: .seconds(seconds))
    let after = Usage.now
    let result = IdleResult(
      connections: connections, stillOpen: ThisProcess.sockets, seconds: seconds,
      processorMilliseconds: (after.processor - before.processor) * 1_000,
      wakeUps: after.switches - before.switches, residentMegabytes: ThisProcess.residentMegabytes)
    for transport in transports { await transport.shutdown() }
    try show(result)
  }

  /// Sends `count` requests to a slow server, so that all of them are in progress at the same time.
  private static func open(_ count: Int, _ url: HTTPURL, _ transport: any Transport) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          _ = try await transport.perform(
            TransportRequest(url: url, addresses: .any), into: Drain())
        }
      }
      try await group.waitForAll()
    }
  }

  private static func slow(_ url: HTTPURL, rate: Int) async throws {
    let transport = try transport()
    let sink = ThrottledSink(rate: rate)
    let begin = ThisProcess.residentMegabytes
    let start = ContinuousClock.now
    _ = try await transport.perform(TransportRequest(url: url, addresses: .any), into: sink)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    await transport.shutdown()
    try show(
      SlowResult(
        megabytes: Double(sink.bytes) / 1e6, seconds: seconds, beginMegabytes: begin,
        largestMegabytes: sink.largest))
  }

  private static func show(_ result: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    print(String(decoding: try encoder.encode(result), as: UTF8.self))
  }
}

private struct IdleResult: Encodable {
  let connections: Int
  let stillOpen: Int
  let seconds: Int
  /// Of the whole process, while everything rests.
  let processorMilliseconds: Double
  let wakeUps: Int
  let residentMegabytes: Double
}

private struct SlowResult: Encodable {
  let megabytes: Double
  let seconds: Double
  let beginMegabytes: Double
  /// The most that was resident while the body came.
  let largestMegabytes: Double
}
