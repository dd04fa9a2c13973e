import LibraryAPI
import Testing
import TestSupport
@testable import Engine

/// Keeps the events of an engine, to look at and to wait for.
struct EventRecorder: Sendable {
  let events = Watched<[LibraryEvent]>([])

  init(_ engine: Engine) async {
    let stream = await engine.eventStream()
    let events = events
    Task { for await event in stream { events.update { $0.append(event) } } }
  }

  var kinds: [LibraryEvent.Kind] { events.value.map(\.kind) }

  @concurrent
  func until(_ isMet: @escaping @Sendable (LibraryEvent.Kind) -> Bool) async throws {
    try await events.until { $0.contains { isMet($0.kind) } }
  }

  @concurrent
  func until(_ kind: LibraryEvent.Kind) async throws { try await until { $0 == kind } }

  /// Once the engine has stopped nothing comes any more.
  func checkNumbers(sourceLocation: SourceLocation = #_sourceLocation) {
    let numbers = events.value.map(\.seq)
    #expect(
      zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(numbers)",
      sourceLocation: sourceLocation)
  }
}
