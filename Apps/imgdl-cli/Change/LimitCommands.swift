import CommandLine
import Composition
import LibraryAPI
import Models
import Persistence
import ProgramSupport

/// The command `concurrency [N]`: shows or sets the maximum number of simultaneous transfers.
enum ConcurrencyCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let limit = context.chosenLimit else {
      return try await context.showLimit(
        running: \.concurrency, kept: \.concurrency, setting: \.maxConcurrentDownloads)
    }
    try await context.act { try await $0.service.setConcurrency(limit) }
    context.console.printNote("\(Summary.count(limit, "transfer")) at the same time")
    return .success
  }
}

/// The command `per-host [N]`: shows or sets the maximum number of simultaneous transfers from one host.
enum PerHostCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let limit = context.chosenLimit else {
      return try await context.showLimit(
        running: \.perHost, kept: \.perHost, setting: \.maxPerHost)
    }
    try await context.act { try await $0.service.setPerHost(limit) }
    context.console.printNote("\(Summary.count(limit, "transfer")) from one host at the same time")
    return .success
  }
}

/// The command `limit-rate [RATE]`: shows or sets the limit of the bytes per second of all transfers together.
enum LimitRateCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    guard let text = context.invocation.argument("RATE") else {
      return try await context.showLimit(
        running: \.rateLimit, kept: \.rateLimit, setting: \.limitRate)
    }
    guard let limit = text == CommandDescription.noLimit ? 0 : ByteSize.parse(text) else {
      throw context.invocation.usageError(
        "RATE is a number of bytes such as 500k, 2M or 1G, or \(CommandDescription.noLimit), not '\(text)'",
        code: .invalidValue)
    }
    try await context.act { try await $0.service.setRateLimit(limit) }
    context.console.printNote(
      limit == 0
        ? "no limit of the rate"
        : "at most \(ByteText.short(Int64(limit))) per second for all downloads together")
    return .success
  }
}

extension Context {
  fileprivate var chosenLimit: Int? { invocation.argument("N").flatMap { Int($0) } }

  /// Prints the effective limit: that of the running engine, or else the limit stored in the library, or else
  /// the setting.
  fileprivate func showLimit(
    running: KeyPath<LibraryStatus, Int>, kept: KeyPath<LibraryState, Int?>,
    setting: KeyPath<Settings.Network, Int>
  ) async throws -> ExitCode {
    var limit = settings.network[keyPath: setting]
    if let status = await runningStatus() {
      limit = status[keyPath: running]
    } else if let state = try await withStore({ try await $0.libraryState() }) {
      limit = state[keyPath: kept] ?? limit
    }
    console.print("\(limit)")
    return .success
  }
}
