import Foundation

/// `transports TRANSPORT URL COUNT`: fetches a URL COUNT times, one after the other and then 16 at a
/// time, and prints the time per request as one line of JSON.
///
/// TRANSPORT is one of our adapters (`socket`, `url-session`) or `alone`: URLSession in this process,
/// without a helper program. The difference between the last two is the cost of the helper.
@main enum Transports {
  static let connections = 16

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3, let count = Int(words[3]), count > 0 else {
      FileHandle.standardError.write(Data("usage: transports TRANSPORT URL COUNT\n".utf8))
      exit(2)
    }
    let fetcher: any Fetcher =
      words[1] == "alone" ? try AloneFetcher(words[2]) : try AdapterFetcher(words[1], words[2])
    let result = try await measure(fetcher, count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    print(String(decoding: try encoder.encode(result), as: UTF8.self))
  }

  private static func measure(_ fetcher: any Fetcher, _ count: Int) async throws -> Result {
    let clock = ContinuousClock()
    let first = try await clock.measure { try await fetcher.fetch() }
    var each: [Double] = []
    for _ in 0..<count { each.append(try await clock.measure { try await fetcher.fetch() }.micros) }
    let crowd = try await clock.measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<connections {
          group.addTask { for _ in 0..<(count / connections) { try await fetcher.fetch() } }
        }
        try await group.waitForAll()
      }
    }
    await fetcher.end()
    let cost = Cost.soFar
    let requests = 1 + count + count / connections * connections
    each.sort()
    return Result(
      firstMilliseconds: first.micros / 1_000, medianMicroseconds: each[count / 2],
      crowdPerSecond: Double(count / connections * connections) / (crowd.micros / 1e6),
      processorMicroseconds: cost.seconds * 1e6 / Double(requests),
      peakMegabytes: cost.peakMegabytes)
  }

  private struct Result: Encodable {
    /// Of the first request: a helper program starts with it.
    let firstMilliseconds: Double
    /// Of a request on a connection that is open.
    let medianMicroseconds: Double
    /// Requests a second, 16 at a time.
    let crowdPerSecond: Double
    /// Processor time of a request, helper programs included.
    let processorMicroseconds: Double
    /// Of the larger process.
    let peakMegabytes: Double
  }
}

extension Duration {
  var micros: Double { self / .microseconds(1) }
}

/// One way to fetch the URL.
protocol Fetcher: Sendable {
  func fetch() async throws
  /// Helper programs have ended and been collected when it returns.
  func end() async
}

struct WrongAnswer: Error {
  let status: Int
}

/// What this process and its helper programs have used.
struct Cost {
  let seconds: Double
  let peakMegabytes: Double

  static var soFar: Cost {
    var own = rusage()
    var helpers = rusage()
    // RUSAGE_SELF and RUSAGE_CHILDREN.
    getrusage(0, &own)
    getrusage(-1, &helpers)
    let times = [own.ru_utime, own.ru_stime, helpers.ru_utime, helpers.ru_stime]
    return Cost(
      seconds: times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 },
      peakMegabytes: Double(max(own.ru_maxrss, helpers.ru_maxrss)) * 1_024 / 1e6)
  }
}
