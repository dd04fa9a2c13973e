import CommandLine
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls
import Wiring

/// Access of commands to the engine of the library, in whichever process it runs, and to records.
extension Context {
  /// Connects to the engine that runs for the library, or opens an engine in this process. A missing library
  /// is created.
  /// - Parameters:
  ///   - isDownloading: Whether the command downloads.
  ///   - change: Replaces adapters of an engine in this process.
  func connect(
    isDownloading: Bool = false,
    changing change: @Sendable (inout Catalogue) -> Void = { _ in }
  ) async throws -> LibraryConnection {
    let note = noteOfNewLibrary
    let connection = try await LibraryOpener.connect(
      at: library, settings: ofEngine.settings, overriding: ofEngine.fromFlags,
      isDownloading: isDownloading, changing: change)
    if let note { console.printNote(note) }
    if let problem = connection.problem {
      console.printError("other programs cannot connect to this one: \(problem)")
    }
    if connection.engine != nil || passesOptions { warn() }
    if connection.engine == nil, !loaded.fromFlags.isEmpty, !passesOptions {
      console.printNote("\(connection.owner) runs the engine of this library; its settings apply.")
    }
    return connection
  }

  /// Says that a library is created among files of the user, which may not have been meant; nil if there is a library
  /// already, or if its folder is missing or has nothing in it.
  var noteOfNewLibrary: String? {
    guard !FileSystem.exists(layout.internals), let entries = try? FileSystem.list(layout.root),
      entries.contains(where: { !$0.name.hasPrefix(".") })
    else { return nil }
    return
      "\(library) has other files, which stay as they are; it is a library now, whose records are folders "
      + "beside them."
  }

  /// Whether the command passes its options on with its requests.
  private var passesOptions: Bool {
    [["add"], ["demo"], ["fetch"], ["more"], ["refresh"], ["reload"], ["resume"], ["retry"]]
      .contains(invocation.path)
  }

  /// Returns the options of the command's requests. They are read before a library is opened, so that an error in a
  /// file that they name creates no library.
  func requestOptions() throws -> RequestOptions { try RequestOptions(flagsOf: loaded) }

  /// Prints warnings about settings that reduce security, even with `--quiet`.
  func warn() {
    for warning in CredentialFiles.warnings(settings) { console.printError(warning) }
  }

  /// Makes a change to an existing library through its engine; this process starts no downloads.
  func act<Value: Sendable>(
    _ body: (LibraryConnection) async throws -> Value
  ) async throws -> Value {
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    return try await withConnection(body)
  }

  /// Calls `body` with a connection to the library, which is created if it is missing. If the engine of
  /// another process ends before it has answered, `body` is called again with the next engine.
  func withConnection<Value: Sendable>(
    _ body: (LibraryConnection) async throws -> Value
  ) async throws -> Value {
    let deadline = Machine.monotonicNanoseconds &+ Self.connectTimeout
    while true {
      let connection = try await connect()
      do {
        let value = try await body(connection)
        await connection.close()
        return value
      } catch {
        await connection.close()
        guard connection.isEngineLost(error), !Task.isCancelled,
          Machine.monotonicNanoseconds < deadline
        else { throw error }
      }
    }
  }

  /// The time in nanoseconds during which a request is repeated with the next engine.
  private static let connectTimeout: UInt64 = 10_000_000_000

  /// Returns the status of the running engine; nil if no engine runs or if it does not answer in time.
  func runningStatus() async -> LibraryStatus? { await LibraryOpener.runningStatus(at: library) }

  /// Returns the state of the engine of another process.
  func otherEngine() async -> LibraryOpener.OtherEngine {
    await LibraryOpener.otherEngine(at: library)
  }

  /// The commands that work on a library that exists. The other commands create one, or need none.
  private static let commandsOfLibraries: Set<String> = [
    "list", "show", "details", "view", "open", "watch", "pause", "resume", "cancel",
    "retry", "reload", "refresh", "more", "priority", "concurrency", "per-host", "limit-rate",
    "export", "contact-sheet", "verify", "remove", "reset", "daemon stop", "daemon restart",
    "daemon status",
  ]

  /// Throws if `--library` names a folder without a library and the command needs one: the name is then mistyped.
  /// The default library may be missing, since it is created by the first `add`.
  func requireNamedLibrary() throws {
    guard Self.commandsOfLibraries.contains(invocation.path.joined(separator: " ")),
      invocation.isGiven("library"), !FileSystem.exists(layout.internals)
    else { return }
    if let status = try? FileSystem.status(layout.root), status.kind != .folder {
      throw ProgramFailure(.disk, "\(library) is not a folder, so no library is in it")
    }
    throw noLibrary
  }

  /// Returns the record that the argument RECORD names.
  func record() async throws -> Record {
    let name = invocation.argument("RECORD") ?? ""
    guard let record = try await withStore({ try await record(name, in: $0) }) else {
      throw noLibrary
    }
    return record
  }

  /// Returns the record that the argument RECORD names, or nil for the whole library. Throws without a
  /// library.
  func optionalRecord() async throws -> RecordID? {
    if invocation.argument("RECORD") != nil { return try await record().id }
    guard FileSystem.exists(layout.internals) else { throw noLibrary }
    return nil
  }
}

extension LibraryConnection {
  /// The process of the engine, as the beginning of a sentence.
  var owner: String { "Process \(processID)" }
}

extension LibraryConnection {
  /// Returns the options that requests take along. An engine of this process was opened with the settings of the
  /// command line, so that nothing is expected of it.
  func passed(_ options: RequestOptions) -> RequestOptions {
    engine == nil ? options : options.withoutExpectations
  }
}
