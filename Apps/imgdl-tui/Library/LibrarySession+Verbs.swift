import Composition
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
      if let text = try await performOnce(verb) { inbox.post(.notice(text)) }
    } catch {
      inbox.post(.failed(Self.message(error)))
    }
    poke()
  }

  /// The dialog that requests the password waits for the answer, whatever it is.
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
    poke()
  }

  /// An engine that died while it read a source has kept nothing of it: the next one is asked again, once.
  private func performOnce(_ verb: Verb) async throws -> String? {
    let asked = try await connected()
    do {
      return try await performAndNote(verb, asked)
    } catch {
      guard case .add = verb, asked.isGone(error) else { throw error }
    }
    if connection?.processID == asked.processID { await engineEnded() }
    return try await performAndNote(verb, try await connected())
  }

  private func performAndNote(
    _ verb: Verb, _ connection: LibraryConnection
  ) async throws -> String? {
    let text = try await Self.perform(verb, connection) { _ in "R refreshes instead" }
    // Its next page is another one now, which the store knows only when the entries have been told.
    if case .loadMore(let id) = verb { forgetSource(of: id) }
    return text
  }

  /// Not inlined: the optimizer of 6.3.1 crashes where it is (Documentation/Concurrency.md).
  /// - Parameter refreshing: how a record, by its number, is refreshed.
  /// - Returns: what it came to.
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
    case .loadMore(let id): return VerbText.textOfPage(try await service.loadMore(id))
    case .pause(let id): _ = try await service.pause(id)
    case .resume(let id): _ = try await service.resume(id)
    case .retry(let id):
      return "Retrying \(CountText.text(try await service.retry(id), "resource"))"
    case .reload(let id):
      return "Downloading \(CountText.text(try await service.reload(id), "resource")) again"
    case .remove(let id):
      try await service.remove(id)
      return "Removed the record"
    case .reset: try await service.reset()
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
