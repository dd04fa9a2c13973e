import Glibc
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

@Suite("A lost server")
struct LostServerTests {
  @Test(
    "is reported as lost in the middle of a call, at any position of the response",
    arguments: [
      "", "HTT", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"isPaused\":",
    ])
  func stops(_ answer: String) async throws {
    let server = try await ScriptedHolder()
    let client = try await server.client()
    let call = Task { try await client.status() }
    await server.answer(answer)
    await #expect(throws: LibraryError.disconnected(getpid())) { _ = try await call.value }
    await client.close()
    await server.end()
  }

  @Test(
    "that sends invalid data is reported at once",
    arguments: [
      ("SSH-2.0-OpenSSH_9.2\r\n", 0),
      ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 0),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", 0),
      ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}x", 0),
      ("HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}", 0),
      ("HTTP/1.1 302 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 0),
      ("HTTP/1.1 200 OK\r\n", 100_000),
    ])
  func nonsense(_ head: String, fields: Int) async throws {
    let answer = head + String(repeating: "X: y\r\n", count: fields)
    let server = try await ScriptedHolder()
    let client = try await server.client()
    let call = Task { try await client.status() }
    await server.answer(answer)
    do {
      _ = try await call.value
      Issue.record("that was an answer")
    } catch {
      #expect((error as? LibraryError)?.code == .io)
    }
    await client.close()
    await server.end()
  }

  @Test("reports why it refused a request before reading it completely")
  func refusedEarly() async throws {
    var options = ControlServer.Options.still
    options.bodyBytes = 1_000
    try await withStage(options: options) { (stage) async throws in
      let client = try await stage.connect()
      let path = "/" + String(repeating: "x", count: 1_900_000)
      await #expect(
        throws: LibraryError(
          .internalError, "the engine refused the request: the body is longer than 1000 bytes")
      ) {
        _ = try await client.add(SourceRequest(location: .file(path)))
      }
      await client.close()
    }
  }

  @Test("is reported as lost before the next call")
  func stoppedBefore() async throws {
    let stage = try await Stage()
    let client = try await stage.connect()
    await stage.end()
    await #expect(throws: LibraryError.self) { _ = try await client.status() }
    await #expect(throws: LibraryError.self) { _ = try await client.updates() }
    for await _ in await client.eventStream() { Issue.record("an event from nowhere") }
    await client.setVisibleRange(0..<1, of: RecordID(1), for: ViewerID(1))
    await client.clearVisibleRange(of: nil, for: ViewerID(1))
    await client.close()
    await #expect(throws: LibraryError.self) { _ = try await client.status() }
  }

  @Test("that never ran is reported as absent")
  func neverStarted() async throws {
    try await withStage { (stage) async throws in
      let lock = stage.root + "/.imgdl/lock"
      let texts = [
        "", "\(getpid())\n", "\(getpid())\n\(stage.address.path)", "\(getpid())\n/nowhere/at.all\n",
        "\(getpid())\n\(lock)\n", "garbage\n\(stage.address.path)\n",
      ]
      for text in texts {
        try stage.writeLock(text)
        let client = try? await ControlClient.connect(libraryRoot: stage.root)
        #expect(client == nil)
      }
      try FileSystem.remove(lock)
      #expect(try await ControlClient.connect(libraryRoot: stage.root) == nil)
      #expect(try await ControlClient.connect(libraryRoot: stage.root + "/missing") == nil)
    }
  }

  @Test("that left its socket behind is reported as absent")
  func staleSocket() async throws {
    let folder = try TemporaryFolder()
    let root = try FileSystem.realPath(folder.path)
    try FileSystem.makeFolders(root + "/.imgdl")
    let address = ControlAddress(path: root + "/s/socket")
    do {
      let listener = try ControlListener(address)
      listener.socket.close()
    }
    try FileSystem.replace(root + "/.imgdl/lock", with: "1\n\(address.path)\n")
    #expect(FileSystem.exists(address.path))
    #expect(try await ControlClient.connect(libraryRoot: root) == nil)
    // The next holder of the lock listens in its place.
    let listener = try ControlListener(address)
    listener.removeFile()
  }

  @Test("whose library was copied does not serve the copy")
  func copiedLibrary() async throws {
    try await withStage { (stage) async throws in
      let copy = stage.folder.path + "/copy"
      try FileSystem.makeFolders(copy + "/.imgdl")
      try FileSystem.replace(
        copy + "/.imgdl/lock", with: "\(getpid())\n\(stage.address.path)\n")
      #expect(try await ControlClient.connect(libraryRoot: copy) == nil)
    }
  }

  @Test("is distinguished from a server of another version")
  func otherVersion() async throws {
    let server = try await ScriptedHolder()
    do {
      _ = try await server.client(version: 2)
      Issue.record("it spoke another version")
    } catch {
      #expect((error as? LibraryError)?.code == .locked)
    }
    await server.end()
  }

  @Test("whose socket could have been created by another user is not called")
  func unsafeFolder() async throws {
    try await withStage { (stage) async throws in
      #expect(chmod(stage.address.folder, 0o777) == 0)
      await #expect(throws: LibraryError.self) { try await stage.connect() }
      #expect(chmod(stage.address.folder, 0o700) == 0)
    }
  }

  @Test("that no longer accepts connections is reported after ten seconds")
  func stuck() async throws {
    let folder = try TemporaryFolder()
    let root = try FileSystem.realPath(folder.path)
    try FileSystem.makeFolders(root + "/.imgdl")
    let address = ControlAddress(path: root + "/s/socket")
    let listener = try ControlListener(address)
    #expect(listen(listener.socket.raw, 0) == 0)
    try FileSystem.replace(root + "/.imgdl/lock", with: "1\n\(address.path)\n")
    let loop = try SocketLoop("test", clock: SystemClock())
    while try await loop.connect(to: address.path) != nil {}
    let clock = ManualClock(turnsByItself: true)
    do {
      _ = try await ControlClient.connect(libraryRoot: root, clock: clock)
      Issue.record("the client connected")
    } catch {
      let reason = "process 1, which uses the library, accepts no connection"
      #expect(error == LibraryError(.locked, reason))
    }
    #expect(clock.now() >= 10)
    await loop.shutDown()
    listener.removeFile()
  }
}

/// A process that holds a library and answers as the test has it, after saying hello.
private final class ScriptedHolder: Sendable {
  private let folder: TemporaryFolder
  private let listener: ControlListener
  private let loop: SocketLoop
  private let listening: SocketLoop.SocketID
  private let root: String

  init() async throws {
    folder = try TemporaryFolder()
    root = try FileSystem.realPath(folder.path)
    try FileSystem.makeFolders(root + "/.imgdl")
    let address = ControlAddress(path: root + "/s/socket")
    listener = try ControlListener(address)
    loop = try SocketLoop("holder", clock: SystemClock())
    listening = try await loop.add(listener.socket)
    try FileSystem.replace(root + "/.imgdl/lock", with: "\(getpid())\n\(address.path)\n")
  }

  func client(version: Int = 1) async throws -> ControlClient {
    let hello = HelloMessage(api: version, library: root, processID: getpid(), engine: "1")
    async let connecting = ControlClient.connect(libraryRoot: root)
    let response = try ControlResponse.json(hello)
    await answer(
      String(decoding: response.bytes(hasBody: true, keepsConnection: false), as: UTF8.self))
    guard let client = try await connecting else {
      throw LibraryError(.disconnected, "nobody")
    }
    return client
  }

  /// Takes one connection, reads a request, says this, and closes.
  func answer(_ text: String) async {
    guard case .socket(let socket) = await loop.accept(listening),
      let id = try? await loop.add(socket)
    else { return }
    _ = await loop.receive(id)
    _ = await loop.send(id, Array(text.utf8))
    await loop.close(id)
  }

  func end() async {
    await loop.shutDown()
    listener.removeFile()
  }
}
