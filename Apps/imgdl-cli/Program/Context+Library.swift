import CommandLine
import Composition
import LibraryAPI
import Models
import SystemCalls
import Wiring

/// The library of a command: its engine, wherever that runs, and its records.
extension Context {
  /// The engine that runs for the library, else one of our own. Makes the library if it is missing.
  /// - Parameter change: may replace adapters of an engine of our own.
  func connect(
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> LibraryConnection {
    let connection = try await LibraryOpener.connect(
      at: library, settings: settings, overriding: loaded.fromFlags, changing: change)
    if let problem = connection.problem {
      console.complain("other programs cannot steer this one: \(problem)")
    }
    if connection.engine != nil { warn() }
    if connection.engine == nil, !loaded.fromFlags.isEmpty {
      console.note("\(connection.owner) runs the library: its settings count.")
    }
    return connection
  }

  /// Says, each time, what is not as safe as it could be; never hidden.
  func warn() {
    for warning in CredentialFiles.warnings(settings.network) { console.complain(warning) }
  }

  /// Does something to the library, which is there, through its engine; nothing is downloaded for
  /// it here.
  func act<Value: Sendable>(
    _ body: (LibraryConnection) async throws -> Value
  ) async throws -> Value {
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    return try await withConnection(body)
  }

  /// Makes the library if it is missing. When the engine of another process goes away before it has
  /// answered, the next one is asked, or our own.
  func withConnection<Value: Sendable>(
    _ body: (LibraryConnection) async throws -> Value
  ) async throws -> Value {
    let deadline = Machine.monotonicNanoseconds &+ Self.patience
    while true {
      let connection = try await connect()
      do {
        let value = try await body(connection)
        await connection.close()
        return value
      } catch {
        await connection.close()
        guard connection.isGone(error), !Task.isCancelled,
          Machine.monotonicNanoseconds < deadline
        else { throw error }
      }
    }
  }

  /// Nanoseconds for which engines may come and go.
  private static let patience: UInt64 = 10_000_000_000

  /// What the engine that runs is doing; nil if none runs, or it is slow to answer.
  func runningStatus() async -> LibraryStatus? { await LibraryOpener.runningStatus(at: library) }

  /// The record that the command names.
  func record() async throws -> Record {
    let name = invocation.argument("RECORD") ?? ""
    guard let record = try await withStore({ try await record(name, in: $0) }) else {
      throw noLibrary
    }
    return record
  }

  /// nil means the whole library, which is there.
  func optionalRecord() async throws -> RecordID? {
    if invocation.argument("RECORD") != nil { return try await record().id }
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    return nil
  }
}

extension LibraryConnection {
  /// Who has the engine, for the beginning of a sentence.
  var owner: String { "Process \(processID)" }
}
