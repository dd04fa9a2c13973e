import CommandLine
import Engine
import ImgdlLibrary
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
    let connection = try await Library.connect(
      at: library, settings: settings, insisting: loaded.fromFlags, changing: change)
    if let problem = connection.problem {
      console.complain("other programs cannot steer this one: \(problem)")
    }
    if connection.engine == nil, !loaded.fromFlags.isEmpty {
      console.note("\(connection.owner) runs the library: its settings count.")
    }
    return connection
  }

  /// Does something to the library through its engine; nothing is downloaded for it here.
  func act<Value: Sendable>(
    _ body: (LibraryConnection) async throws -> Value
  ) async throws -> Value {
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    for attempt in 1... {
      let connection = try await connect()
      do {
        let value = try await body(connection)
        await connection.close()
        return value
      } catch {
        await connection.close()
        // An engine that ended just now: the next one, or our own, does it.
        guard (error as? EngineError)?.code == .disconnected, attempt < 5 else { throw error }
      }
    }
    throw CommandFailure(.internalError, "no engine")
  }

  /// What the engine that runs is doing; nil if none runs, or it is slow to answer.
  func runningStatus() async -> EngineStatus? { await Library.runningStatus(at: library) }

  /// The record that the command names.
  func record() async throws -> Record {
    let name = invocation.argument("RECORD") ?? ""
    guard let record = try await withStore({ try await record(name, in: $0) }) else {
      throw noLibrary
    }
    return record
  }

  /// nil: the whole library, which is there.
  func optionalRecord() async throws -> RecordID? {
    if invocation.argument("RECORD") != nil { return try await record().id }
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    return nil
  }
}
