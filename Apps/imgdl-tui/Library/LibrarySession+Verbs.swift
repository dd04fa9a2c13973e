import Composition
import LibraryAPI
import Models
import Screens

/// Performs the changes to the library that the user requests.
extension LibrarySession {
  func perform(_ verb: Verb) async {
    if verb.readsSource { sourcesBeingRead += 1 }
    defer { if verb.readsSource { sourcesBeingRead -= 1 } }
    startPolling()
    do {
      if let text = try await performOnce(verb) { inbox.post(.notice(text)) }
    } catch {
      let reason = Self.message(error)
      if case .add(let source, _) = verb {
        inbox.post(.addFailed(source: source, reason: reason))
      } else {
        inbox.post(.failed(reason))
      }
    }
    startPolling()
  }

  /// Unlocks a file. Posts an answer in every case, because the password dialog waits for it.
  func unlock(_ request: UnlockRequest) async {
    do {
      let service = try await connected().service
      try await service.unlock(request.resource, with: request.password)
      inbox.post(.unlockAnswered(request, .unlocked))
    } catch let error as LibraryError where error.code == .encrypted {
      inbox.post(.unlockAnswered(request, .wrongPassword))
    } catch {
      inbox.post(.unlockAnswered(request, .failed(Self.message(error))))
    }
    startPolling()
  }

  /// Performs a verb. An engine that dies while it adds a source has stored nothing of the source, so the
  /// verb is repeated once with the next engine.
  private func performOnce(_ verb: Verb) async throws -> String? {
    let asked = try await connected()
    do {
      return try await performAndInvalidate(verb, asked)
    } catch {
      guard case .add = verb, asked.isEngineLost(error) else { throw error }
    }
    if connection?.processID == asked.processID { await engineEnded() }
    return try await performAndInvalidate(verb, try await connected())
  }

  private func performAndInvalidate(
    _ verb: Verb, _ connection: LibraryConnection
  ) async throws -> String? {
    let text = try await Self.perform(verb, connection) { _ in "R refreshes instead" }
    // The source has another next page now. The store is updated after the event about the new entries, so a
    // row that was read in response to that event is out of date.
    if case .loadMore(let id) = verb { forgetSource(of: id) }
    return text
  }

  /// Performs a verb through the service of the library.
  ///
  /// Not inlined, because the optimizer of Swift 6.3.1 crashes otherwise (Documentation/Concurrency.md).
  /// - Parameter refreshing: Returns the hint how to refresh the record with the given number.
  /// - Returns: A sentence about the result for the user, or nil if there is nothing to report.
  @inline(never)
  static func perform(
    _ verb: Verb, _ connection: LibraryConnection, refreshing: (Int) -> String
  ) async throws -> String? {
    let service = connection.service
    switch verb {
    case .start: return nil
    case .add(let text, let isLazy):
      let request = try SourceText.request(text, isLazy: isLazy)
      let earlier = await SourceText.earlierRecord(of: request, in: connection.store)
      let result = try await service.add(request)
      return VerbText.text(result, refreshing: earlier.map(refreshing))
    case .refresh(let id): return VerbText.text(try await service.refresh(id))
    case .loadMore(let id): return VerbText.nextPageText(try await service.loadMore(id))
    case .pause(let id): _ = try await service.pause(id)
    case .resume(let id): _ = try await service.resume(id)
    case .retry(let id):
      return "Retrying \(CountText.text(try await service.retry(id), "resource"))"
    case .reload(let id):
      return "Downloading \(CountText.text(try await service.reload(id), "resource")) again"
    case .remove(let id):
      let left = try await service.remove(id)
      return left.descriptions.first.map { "Removed the record, but not all files: \($0)" }
        ?? "Removed the record"
    case .reset:
      let left = try await service.reset()
      return left.descriptions.first.map {
        "The library is empty, but not all files are deleted: \($0)"
      }
    case .setConcurrency(let limit): try await service.setConcurrency(limit)
    }
    return nil
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
