import Composition
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Screens

/// Performs the commands that the user types, and prints their results.
struct LineInterface {
  let connection: LibraryConnection
  private let defaultSource: String
  /// A destructive command that waits for the user's confirmation, or nil if there is none.
  private var pendingConfirmation: Verb?

  private static let page = 20

  init(_ connection: LibraryConnection, defaultSource: String) {
    self.connection = connection
    self.defaultSource = defaultSource
  }

  static let help = [
    "list [FROM]: list the records, twenty at a time",
    "show N [FROM]: list the images of record N",
    "details N [FROM]: list the images of record N with size and time",
    "status: show the state of the downloads",
    "add SOURCE: add a path or a URL; without one, the setting source.default",
    "pause [N], resume [N]: pause or resume all downloads, or record N",
    "refresh N: read the source of record N again",
    "more N: load the next page of the source of record N",
    "unlock N [I]: enter the password for the encrypted files of record N, or of its image I",
    "retry N: retry the failed resources of record N",
    "reload N: download the whole record N again",
    "remove N: remove record N and its files; asks first",
    "concurrency N: set how many downloads run at the same time",
    "reset: stop and delete everything; asks first",
    "quit: leave the program",
  ]

  enum Outcome: Sendable, Equatable {
    /// The program continues with the next line.
    case next
    case quit, interrupted
  }

  /// Prints the list of records, or the reason it cannot be read.
  func printRecords() async throws {
    do {
      try await list(from: 1)
    } catch {
      PlainText.printLine("Error: \(LibrarySession.message(error))")
    }
  }

  /// Performs a line of input.
  /// - Parameter input: The input from which the command `unlock` reads a password.
  mutating func execute(_ line: String, _ input: PlainInput) async throws -> Outcome {
    let words = line.split(separator: " ").map(String.init)
    guard let command = words.first?.lowercased() else { return .next }
    if let waiting = pendingConfirmation {
      pendingConfirmation = nil
      if command == "yes" || command == "y" {
        await perform(waiting)
      } else {
        PlainText.printLine("Nothing was done.")
      }
      return .next
    }
    if command == "quit" || command == "q" || command == "exit" { return .quit }
    do {
      if command == "unlock" { return try await unlock(Array(words.dropFirst()), input) }
      pendingConfirmation = try await parse(command, Array(words.dropFirst()))
    } catch {
      PlainText.printLine("Error: \(LibrarySession.message(error))")
    }
    return .next
  }

  /// Performs a command.
  /// - Returns: A verb to perform only after the user has confirmed it, or nil if the command is done.
  private func parse(_ command: String, _ words: [String]) async throws -> Verb? {
    switch command {
    case "help", "?": for line in Self.help { PlainText.printLine(line) }
    case "list": try await list(from: words.first.flatMap { Int($0) } ?? 1)
    case "show": try await show(words, isDetailed: false)
    case "details": try await show(words, isDetailed: true)
    case "status": try await status()
    case "add": await add(words)
    case "concurrency": await setConcurrency(words)
    case "pause", "resume", "refresh", "more", "retry", "reload", "remove":
      let record = try await record(words)
      return await change(command, record)
    case "reset":
      PlainText.printLine("Delete all records and their files? Type yes or no.")
      return .reset
    default: PlainText.printLine("\(command) is not a command; type help")
    }
    return nil
  }

  private func add(_ words: [String]) async {
    let source = words.isEmpty ? defaultSource : words.joined(separator: " ")
    guard !source.isEmpty else {
      return PlainText.printLine("Specify a source: add PATH or add URL")
    }
    await perform(.add(source, isLazy: false))
  }

  private func setConcurrency(_ words: [String]) async {
    guard let count = words.first.flatMap({ Int($0) }), (1...1_024).contains(count) else {
      return PlainText.printLine("Specify a number from 1 to 1024")
    }
    await perform(.setConcurrency(count))
    PlainText.printLine("\(count) downloads at the same time")
  }

  /// Performs a command that changes a record.
  /// - Parameter record: The record. nil means the whole library, which only some of the commands support.
  /// - Returns: A verb to perform only after the user has confirmed it, or nil if the command is done.
  private func change(_ command: String, _ record: Record?) async -> Verb? {
    switch (command, record) {
    case ("pause", _): await perform(.pause(record?.id))
    case ("resume", _): await perform(.resume(record?.id))
    case (_, nil): PlainText.printLine("Which record?")
    case ("refresh", let record?): await perform(.refresh(record.id))
    case ("more", let record?): await perform(.loadMore(record.id))
    case ("retry", let record?): await perform(.retry(record.id))
    case ("reload", let record?): await perform(.reload(record.id))
    case (_, let record?):
      PlainText.printLine(
        "Remove \(record.title) and its \(CountText.text(record.counts.total, "file"))? Type yes or no."
      )
      return .remove(record.id)
    }
    return nil
  }

  private func perform(_ verb: Verb) async {
    let text: String?
    do {
      text = try await LibrarySession.perform(verb, connection) {
        "refresh \($0) loads only new entries"
      }
    } catch {
      text = "Error: \(LibrarySession.message(error))"
    }
    if let text { PlainText.printLine(text) }
  }

  /// Returns the record whose number in the list is the first word, or nil if there are no words.
  /// - Throws: `LibraryError` if there is no such record.
  func record(_ words: [String]) async throws -> Record? {
    guard let word = words.first else { return nil }
    let offset = try Self.offset(word)
    let found = try await connection.store.records(offset: offset, limit: 1)
    guard let record = found.first else { throw Self.noRecord(word) }
    return record
  }

  private static func offset(_ word: String) throws -> Int {
    guard let number = Int(word), number > 0 else { throw noRecord(word) }
    return number - 1
  }

  private static func noRecord(_ word: String) -> LibraryError {
    LibraryError(.noSuchRecord, "there is no record \(word)")
  }

  private func list(from number: Int) async throws {
    let offset = max(0, number - 1)
    let store = connection.store
    let count = try await store.recordCount()
    guard count > 0 else {
      return PlainText.printLine("The library is empty. Add a source with add PATH or add URL.")
    }
    let status = try await connection.service.status()
    let records = try await store.records(offset: offset, limit: Self.page)
    var isStopped = false
    for (place, record) in records.enumerated() {
      let isRepeated = records.count { $0.title == record.title } > 1
      let origin = isRepeated ? try await store.source(record.source)?.origin : nil
      let name = origin.map { "\(record.title) (\($0))" } ?? record.title
      let text = try await statusText(record, status)
      isStopped = isStopped || text == StatusText.stopped
      PlainText.printLine(
        "\(offset + place + 1). \(name): \(text); \(record.counts.finished) of \(record.counts.total)"
      )
    }
    printMoreHint(offset, count, "list")
    if isStopped {
      PlainText.printLine(
        "No program is downloading for this library; continue with \(StatusText.continuation).")
    }
  }

  private func statusText(_ record: Record, _ status: LibraryStatus) async throws -> String {
    let activity = status.progress.records.first { $0.id == record.id }?.activity
    let cancelled =
      record.counts.failed > 0
      ? try await connection.store.failedCount(
        of: record.id, reason: Resource.cancelledReason) : 0
    return StatusText.record(
      record.counts, activity: activity ?? ActivityCounts(),
      isPaused: status.isPaused || record.isPaused, isOnDemand: record.isOnDemand,
      isQueuedByClient: record.isQueuedByClient, isRunning: connection.isRunning,
      cancelled: cancelled)
  }

  private func show(_ words: [String], isDetailed: Bool) async throws {
    guard let record = try await record(words) else { return PlainText.printLine("Which record?") }
    let offset = max(0, (words.dropFirst().first.flatMap { Int($0) } ?? 1) - 1)
    PlainText.printLine(isDetailed ? "Image Details of \(record.title)" : record.title)
    let status = try await connection.service.status()
    let rows = try await connection.store.resources(
      of: record.id, offset: offset, limit: Self.page)
    for resource in rows {
      var text = "\(resource.index). \(DetailValue.text(.name, resource))"
      if isDetailed, resource.file != nil {
        text +=
          ": \(DetailValue.text(.size, resource)), \(DetailValue.text(.time, resource))"
      } else {
        text += ": " + statusText(resource, record, status)
      }
      if resource.needsPassword, let reason = resource.reasonWithoutPasswordHint {
        text += ", \(reason); unlock \(words[0]) \(resource.index) asks for the password"
      } else if let reason = resource.reason, !resource.isCancelled {
        text += ", \(reason)"
      }
      PlainText.printLine(text)
    }
    printMoreHint(offset, record.counts.total, "\(isDetailed ? "details" : "show") \(words[0])")
  }

  private func statusText(
    _ resource: Resource, _ record: Record, _ status: LibraryStatus
  ) -> String {
    let active = status.progress.active.first { $0.id == resource.id }
    let text = StatusText.resource(
      resource, activity: active?.activity, isPaused: status.isPaused || record.isPaused,
      isOnDemand: resource.isOnDemand(in: record), isQueuedByClient: record.isQueuedByClient,
      isRunning: connection.isRunning)
    return active?.dimensions.map { "\(text), \($0.text)" } ?? text
  }

  private func printMoreHint(_ offset: Int, _ count: Int, _ command: String) {
    let next = offset + Self.page
    if next < count { PlainText.printLine("\(count - next) more: \(command) \(next + 1)") }
  }

  private func status() async throws {
    let status = try await connection.service.status()
    let counts = try await connection.store.totals()
    PlainText.printLine(
      status.isPaused
        ? StatusText.paused : "\(status.active) downloading, at most \(status.concurrency)")
    let failed = counts.failed > 0 ? ", \(counts.failed) failed or cancelled" : ""
    PlainText.printLine("\(counts.finished) of \(counts.total) finished\(failed)")
    for host in status.hosts {
      guard let reason = host.reason, let wait = host.secondsToWait else { continue }
      PlainText.printLine("\(host.host): \(reason); continues in \(Int(wait.rounded(.up))) s")
    }
  }
}

extension LibraryConnection {
  /// Whether an engine works for the library, in this process or in another one.
  fileprivate var isRunning: Bool { engine != nil || program != nil }
}
