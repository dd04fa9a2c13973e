import ImgdlLibrary
import LibraryAPI
import Models
import Screens

/// Changes of the library that the user asked for.
extension LibrarySession {
  func perform(_ verb: Verb) async {
    if verb.readsSource { sourcesBeingRead += 1 }
    defer { if verb.readsSource { sourcesBeingRead -= 1 } }
    poke()
    do {
      if let text = try await performOnce(verb) { inbox.post(.told(text)) }
    } catch {
      inbox.post(.failed(Self.message(error)))
    }
    poke()
  }

  /// An engine that died while it read a source has kept nothing of it: the next one is asked again, once.
  private func performOnce(_ verb: Verb) async throws -> String? {
    let asked = try await connected()
    do {
      return try await Self.perform(verb, asked.service)
    } catch {
      guard case .add = verb, asked.isGone(error) else { throw error }
    }
    if connection?.processID == asked.processID { await ended() }
    return try await Self.perform(verb, try await connected().service)
  }

  /// Not inlined: the optimizer of 6.3.1 crashes where it is (Documentation/Concurrency.md).
  /// - Returns: what it came to.
  @inline(never)
  static func perform(
    _ verb: Verb, _ service: any LibraryService
  ) async throws -> String? {
    switch verb {
    case .add(let text, let isLazy):
      let request = try SourceText.request(text, isLazy: isLazy)
      let result = try await service.add(request)
      return told(result)
    case .refresh(let id):
      let result = try await service.refresh(id)
      return told(result)
    case .loadMore(let id):
      let count = try await service.loadMore(id)
      return count == 0 ? "There are no further pages" : "\(count) more"
    case .pause(let id):
      _ = try await service.pause(id)
      return nil
    case .resume(let id):
      _ = try await service.resume(id)
      return nil
    case .retry(let id):
      let count = try await service.retry(id)
      return "Trying \(count) again"
    case .reload(let id):
      let count = try await service.reload(id)
      return "Downloading \(count) again"
    case .remove(let id):
      try await service.remove(id)
      return "Removed"
    case .reset:
      try await service.reset()
      return nil
    case .setConcurrency(let limit):
      try await service.setConcurrency(limit)
      return nil
    }
  }

  private static func told(_ result: AddResult) -> String {
    let records = result.records.count
    var text =
      "Added \(records) record\(records == 1 ? "" : "s"), \(result.entryCount) entries"
    if let first = result.problems.first {
      text += "; \(result.problemCount) cannot be used: \(first)"
    }
    return text
  }

  private static func told(_ result: RefreshResult) -> String {
    if result.isUnchanged { return "Nothing new (the server says it did not change)" }
    let records = result.newRecords.count
    if result.newEntries == 0, records == 0 { return "Nothing new" }
    let new = "\(result.newEntries) new image\(result.newEntries == 1 ? "" : "s")"
    return records == 0 ? new : new + ", \(records) new record\(records == 1 ? "" : "s")"
  }
}

extension Verb {
  fileprivate var readsSource: Bool {
    switch self {
    case .add, .refresh, .loadMore: true
    default: false
    }
  }
}
