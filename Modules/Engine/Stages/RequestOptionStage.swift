import LibraryAPI
import Models
import Persistence

/// Gives sources the options of requests, and explains failures for which credentials are missing.
final class RequestOptionStage: Stage {
  // MARK: - Options of requests

  /// Returns what options mean; nil if they change no request.
  /// - Throws: `.policy` if a setting of the whole engine has another value than the options expect.
  func terms(_ options: RequestOptions) throws(LibraryError) -> OptionTerms? {
    for expectation in options.expectations { try check(expectation) }
    return options.changesNothing ? nil : try OptionTerms(options, over: settings)
  }

  private func check(_ expected: RequestOptions.Expectation) throws(LibraryError) {
    guard let key = SettingsSchema.key(expected.key) else {
      throw LibraryError(.policy, "\(expected.option): there is no setting \(expected.key)")
    }
    let state = stages.verbs.libraryState
    var current = settings
    current.network.maxConcurrentDownloads =
      state.concurrency ?? settings.network.maxConcurrentDownloads
    current.network.maxPerHost = state.perHost ?? settings.network.maxPerHost
    current.network.limitRate = stages.verbs.rateLimit
    let value = key.value(in: current)
    guard value != expected.value else { return }
    let shown = SettingsSchema.shown(value, of: key.kind)
    let remedy =
      switch expected.key {
      case "network.maxConcurrentDownloads": "imgdl-cli concurrency changes it"
      case "network.maxPerHost": "imgdl-cli per-host changes it"
      case "network.limitRate": "imgdl-cli limit-rate changes it"
      default: "end it first, for instance with imgdl-cli daemon stop"
      }
    throw LibraryError(
      .policy,
      "\(expected.option) applies to all downloads, and the running engine has \(key.name) = \(shown); \(remedy)"
    )
  }

  // MARK: - Options of sources

  /// Gives the source of a record options, or those of all records with failed or unfinished resources.
  func set(_ options: RequestOptions, of record: RecordID?) async throws {
    guard try terms(options) != nil else { return }
    var sources: [SourceID] = []
    if let record {
      sources = [try catalog.existing(record).source]
    } else {
      for record in try catalog.allRecords()
      where record.counts.failed > 0 || record.counts.settled < record.counts.total {
        if !sources.contains(record.source) { sources.append(record.source) }
      }
    }
    for source in sources { _ = try await set(options, of: source) }
  }

  /// Gives a source options, besides those that it has. What runs with other cookies or fields begins again.
  /// - Returns: Whether the server may answer otherwise than before.
  func set(_ options: RequestOptions, of id: SourceID) async throws -> Bool {
    guard try terms(options) != nil, let source = try store.source(id) else { return false }
    let old = StoredOptions(text: source.draft.options)
    let merged = options.over(context.options[id]?.options ?? old?.options ?? RequestOptions())
    guard let new = try terms(merged) else { return false }
    let stored = StoredOptions(new)
    guard stored.identity != old?.identity ?? "" else {
      try keep(new, stored, of: id)
      return false
    }
    try await withoutWork(on: id) { try keep(new, stored, of: id) }
    return true
  }

  private func keep(_ new: OptionTerms, _ stored: StoredOptions, of id: SourceID) throws {
    try keep(new, of: id)
    guard let source = try store.source(id) else { return }
    if source.draft.options != stored.text { try store.setOptions(stored.text, of: id) }
    if records[source: id] != nil, let source = try store.source(id) {
      records.register(source.state, of: source)
    }
  }

  /// Keeps the options of a source in memory.
  func keep(_ terms: OptionTerms, of source: SourceID) throws(LibraryError) {
    guard context.options.insert(terms, for: source) else {
      throw LibraryError(.policy, "too many cookies and other options of sources are in use")
    }
  }

  /// Makes a change that gives the requests of a source other keys, while nothing works on its records.
  private func withoutWork(on id: SourceID, _ change: () throws -> Void) async throws {
    // All callers acquire the locks of several records in the order of their ids, so that none waits for another in
    // a circle.
    let ids = try store.records(of: id).map(\.id).sorted { $0.rawValue < $1.rawValue }
    for id in ids { await withCheckedContinuation { stages.verbs.acquire(id, $0) } }
    defer {
      for id in ids {
        stages.verbs.release(id)
        stages.verbs.restoreToScheduler(id)
      }
    }
    try await untilUnlocked()
    for id in ids {
      if let record = try store.record(id) { try await stages.verbs.withdraw(record) }
    }
    try await untilUnlocked()
    try change()
  }

  /// The terms of a source's requests that options determine; nil if none do.
  func terms(of source: SourceID) -> OptionTerms? {
    if let given = context.options[source] { return given }
    guard let stored = records[source: source]?.stored else { return nil }
    return context.options.restored(source, stored, over: settings)
  }

  // MARK: - Credentials that are not stored

  /// The names of what the source was added with that is not known any more.
  private func missing(_ source: SourceID) -> [String] {
    guard context.options[source] == nil else { return [] }
    return records[source: source]?.stored?.unstored ?? []
  }

  /// Returns the reason of a failure; it names the credentials and cookies that are missing if the server may have wanted
  /// them.
  func reason(of failure: DownloadFailure, for record: RecordID) -> String {
    guard failure.mayNeedCredentials, let source = records[record]?.source else {
      return failure.reason
    }
    let lacksCookies =
      records[source: source]?.setsCookies == true && !context.cookies.haveReading(of: source)
    return failure.reason + Self.clause(missing(source))
      + (lacksCookies ? Resource.lostCookiesClause : "")
  }

  /// Returns the error of reading a source; it names the credentials that are missing if the server may have wanted them.
  func explained(_ error: any Error, of source: SourceRow) -> any Error {
    guard let error = error as? LibraryError,
      let failure = error.underlying as? DownloadFailure, failure.mayNeedCredentials,
      context.options[source.id] == nil,
      let stored = StoredOptions(text: source.draft.options), !stored.unstored.isEmpty
    else { return error }
    return LibraryError(
      error.code, error.detail + Self.clause(stored.unstored), underlying: error.underlying)
  }

  private static func clause(_ names: [String]) -> String {
    names.isEmpty
      ? ""
      : "; the source was added with \(names.joined(separator: ", ")), which imgdl does not store: "
        + "repeat the command with it"
  }
}

extension DownloadFailure {
  /// Whether the server may have refused a request because it had no credentials.
  var mayNeedCredentials: Bool {
    if case .status(let status, _, _) = self { [401, 403].contains(status) } else { false }
  }
}
