import ImgdlLibrary
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Screens

/// Answers what is typed.
struct PlainDesk {
  private let connection: LibraryConnection
  private let defaultSource: String
  /// A deed that waits for a yes.
  private var question: Verb?

  private static let page = 20

  init(_ connection: LibraryConnection, defaultSource: String) {
    self.connection = connection
    self.defaultSource = defaultSource
  }

  static let help = [
    "list [FROM]: the records, twenty at a time",
    "show N [FROM]: the images of record N",
    "details N [FROM]: size and time of each image of record N",
    "status: what is going on",
    "add SOURCE: a path or a URL; add alone takes the setting source.default",
    "pause [N], resume [N]: everything, or record N",
    "refresh N, retry N, reload N, remove N: record N",
    "concurrency N: so many downloads at the same time",
    "reset: delete everything; asks first",
    "quit",
  ]

  /// - Returns: false to end.
  @discardableResult
  mutating func answer(_ line: String) async throws -> Bool {
    let words = line.split(separator: " ").map(String.init)
    guard let command = words.first?.lowercased() else { return true }
    if let waiting = question {
      question = nil
      if command == "yes" || command == "y" {
        await perform(waiting)
      } else {
        PlainText.say("Nothing was done.")
      }
      return true
    }
    if command == "quit" || command == "q" || command == "exit" { return false }
    do {
      question = try await answer(command, Array(words.dropFirst()))
    } catch {
      PlainText.say("Error: \(LibrarySession.message(error))")
    }
    return true
  }

  /// - Returns: a deed that is done after a yes only.
  private func answer(_ command: String, _ words: [String]) async throws -> Verb? {
    switch command {
    case "help", "?": for line in Self.help { PlainText.say(line) }
    case "list": try await list(from: words.first.flatMap { Int($0) } ?? 1)
    case "show": try await show(words, isDetailed: false)
    case "details": try await show(words, isDetailed: true)
    case "status": try await status()
    case "add": await add(words)
    case "concurrency": await setConcurrency(words)
    case "pause", "resume", "refresh", "retry", "reload", "remove":
      let record = try await record(words)
      return await change(command, record)
    case "reset":
      PlainText.say("Delete all records and their files? Type yes or no.")
      return .reset
    default: PlainText.say("\(command) is not a command; type help")
    }
    return nil
  }

  private func add(_ words: [String]) async {
    let source = words.isEmpty ? defaultSource : words.joined(separator: " ")
    guard !source.isEmpty else { return PlainText.say("Say what to add: add PATH or add URL") }
    await perform(.add(source, isLazy: false))
  }

  private func setConcurrency(_ words: [String]) async {
    guard let count = words.first.flatMap({ Int($0) }), (1...1_024).contains(count) else {
      return PlainText.say("Say how many: a number from 1 to 1024")
    }
    await perform(.setConcurrency(count))
    PlainText.say("\(count) downloads at the same time")
  }

  /// - Parameter record: nil: everything, where that is possible.
  /// - Returns: a deed that is done after a yes only.
  private func change(_ command: String, _ record: Record?) async -> Verb? {
    switch (command, record) {
    case ("pause", _): await perform(.pause(record?.id))
    case ("resume", _): await perform(.resume(record?.id))
    case (_, nil): PlainText.say("Which record?")
    case ("refresh", let record?): await perform(.refresh(record.id))
    case ("retry", let record?): await perform(.retry(record.id))
    case ("reload", let record?): await perform(.reload(record.id))
    case (_, let record?):
      PlainText.say(
        "Delete \(record.title) with its \(record.counts.total) files? Type yes or no.")
      return .remove(record.id)
    }
    return nil
  }

  private func perform(_ verb: Verb) async {
    let text: String?
    do {
      text = try await LibrarySession.perform(verb, connection.service)
    } catch {
      text = "Error: \(LibrarySession.message(error))"
    }
    if let text { PlainText.say(text) }
  }

  /// By its number in the list; nil without one.
  private func record(_ words: [String]) async throws -> Record? {
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
      return PlainText.say("Nothing here yet. add PATH or add URL adds a source.")
    }
    let status = try await connection.service.status()
    for (place, record) in try await store.records(offset: offset, limit: Self.page).enumerated() {
      let activity = status.progress.records.first { $0.id == record.id }?.activity
      let text = StatusText.record(
        record.counts, activity: activity ?? ActivityCounts(),
        isPaused: status.isPaused || record.isPaused)
      PlainText.say(
        "\(offset + place + 1). \(record.title): \(text) \(record.counts.settled) of \(record.counts.total)"
      )
    }
    more(offset, count, "list")
  }

  private func show(_ words: [String], isDetailed: Bool) async throws {
    guard let record = try await record(words) else { return PlainText.say("Which record?") }
    let offset = max(0, (words.dropFirst().first.flatMap { Int($0) } ?? 1) - 1)
    PlainText.say(isDetailed ? "Image Details of \(record.title)" : record.title)
    let active = try await connection.service.status().progress.active
    let rows = try await connection.store.resources(
      of: record.id, offset: offset, limit: Self.page)
    for (place, resource) in rows.enumerated() {
      var text = "\(offset + place + 1). \(DetailValue.text(.name, resource))"
      if isDetailed, resource.file != nil {
        text +=
          ": \(DetailValue.text(.size, resource)), \(DetailValue.text(.time, resource))"
      } else {
        let activity = active.first { $0.id == resource.id }?.activity
        text += ": " + StatusText.resource(resource.state, activity: activity)
      }
      if let reason = resource.reason { text += ", \(reason)" }
      PlainText.say(text)
    }
    more(offset, record.counts.total, "\(isDetailed ? "details" : "show") \(words[0])")
  }

  private func more(_ offset: Int, _ count: Int, _ command: String) {
    let next = offset + Self.page
    if next < count { PlainText.say("\(count - next) more: \(command) \(next + 1)") }
  }

  private func status() async throws {
    let status = try await connection.service.status()
    let progress = status.progress
    PlainText.say(
      status.isPaused
        ? "Paused" : "\(status.active) downloading, at most \(status.concurrency)")
    PlainText.say(
      "\(progress.settled) of \(progress.total) done, \(progress.failed) failed")
    for host in status.hosts {
      if let reason = host.reason { PlainText.say("\(host.host): \(reason)") }
    }
  }
}
