import Glibc
import LibraryAPI
import SystemCalls
import TestSupport
@testable import Control

extension ControlServer.Options {
  /// For a clock that stands still.
  static var still: ControlServer.Options {
    var options = ControlServer.Options()
    options.wakeSeconds = 0
    return options
  }
}

/// A server for a library in memory, at a socket in a folder of its own. Time stands still for it,
/// unless it is given another clock.
final class Stage: Sendable {
  let library: MemoryLibrary
  let folder: TemporaryFolder
  let server: ControlServer
  let address: ControlAddress
  /// Sockets of the test itself.
  let loop: SocketLoop

  var root: String { folder.path + "/library" }

  init(
    _ library: MemoryLibrary = MemoryLibrary(),
    in folder: TemporaryFolder? = nil, reading: LibraryReading? = nil,
    options: ControlServer.Options = .still, clock: any MonotonicClock = ManualClock()
  ) async throws {
    self.library = library
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let root = folder.path + "/library"
    try FileSystem.makeFolders(root + "/.imgdl")
    address = ControlAddress(path: folder.path + "/s/socket")
    server = try await ControlServer(
      try ControlListener(address), serving: library, libraryRoot: root, reading: reading,
      options: options, clock: clock)
    loop = try SocketLoop("test", clock: SystemClock())
    try writeLock("\(getpid())\n\(address.path)\n")
  }

  /// The id of an event of this server.
  func id(_ seq: Int) -> String { "\(server.engine)-\(seq)" }

  func writeLock(_ text: String) throws {
    try FileSystem.replace(root + "/.imgdl/lock", with: text)
  }

  func connect() async throws -> ControlClient {
    guard let client = try await ControlClient.connect(libraryRoot: root) else {
      throw LibraryError(.disconnected, "nobody listens")
    }
    return client
  }

  func end() async {
    await server.stop()
    await loop.shutDown()
  }
}

/// Runs a test with a stage that is always taken down afterwards.
func withStage<Result>(
  _ library: MemoryLibrary = MemoryLibrary(),
  options: ControlServer.Options = .still, clock: any MonotonicClock = ManualClock(),
  _ body: (Stage) async throws -> Result
) async throws -> Result {
  let stage = try await Stage(library, options: options, clock: clock)
  do {
    let result = try await body(stage)
    await stage.end()
    return result
  } catch {
    await stage.end()
    throw error
  }
}

/// The same with a client.
func withClient<Result>(
  _ library: MemoryLibrary = MemoryLibrary(),
  options: ControlServer.Options = .still, clock: any MonotonicClock = ManualClock(),
  _ body: (Stage, ControlClient) async throws -> Result
) async throws -> Result {
  try await withStage(library, options: options, clock: clock) { (stage) async throws in
    let client = try await stage.connect()
    do {
      let result = try await body(stage, client)
      await client.close()
      return result
    } catch {
      await client.close()
      throw error
    }
  }
}
