import Glibc
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

@Suite("Life of a server")
struct LifeCycleTests {
  // Descriptors and threads are counted in a process of its own, where nothing else comes and goes.

  @Test("200 of them, with clients, calls and streams, leave no thread and no descriptor behind")
  func leavesNothing() async {
    await #expect(processExitsWith: .success) {
      try await Remains.live()
      let before = try Remains.descriptors()
      for _ in 0..<200 { try await Remains.live() }
      try await Remains.settle(descriptors: before, threads: 0)
    }
  }

  @Test("a client that is let go without a word leaves nothing behind, and takes its viewers along")
  func droppedClient() async {
    await #expect(processExitsWith: .success) {
      try await Remains.live()
      let stage = try await Stage()
      try await Remains.settle(descriptors: .max, threads: 2)
      let before = try Remains.descriptors()
      for _ in 0..<50 {
        let client = try await stage.connect()
        await client.setVisibleRange(0..<4, of: RecordID(1), for: ViewerID(1))
      }
      try await stage.library.viewers.until(\.isEmpty)
      // The threads of server and stage.
      try await Remains.settle(descriptors: before, threads: 2)
      await stage.end()
    }
  }

  @Test("connections that came before the server are answered when it comes")
  func early() async throws {
    let folder = try TemporaryFolder()
    let address = ControlAddress(path: folder.path + "/s/socket")
    let listener = try ControlListener(address)
    let loop = try SocketLoop("test", clock: SystemClock())
    let id = try #require(try await loop.connect(to: address.path))
    _ = await loop.send(id, Array(requestText("GET", "/v1").utf8))
    let server = try await ControlServer(
      listener, serving: MemoryLibrary(), libraryRoot: folder.path)
    guard case .bytes(let bytes) = await loop.receive(id) else {
      Issue.record("no answer")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK"))
    await server.stop()
    #expect(!FileSystem.exists(address.path))
    await loop.shutDown()
  }

  @Test("a server whose socket was deleted listens again at its path, and keeps its connections")
  func deletedSocket() async throws {
    try await withStage(clock: SystemClock()) { (stage) async throws in
      let client = try await stage.connect()
      let events = await client.eventStream()
      #expect(try await stage.server.renewSocket() == nil)
      try FileSystem.removeTree(FileSystem.parentFolder(of: stage.address.path))
      #expect(try await stage.server.renewSocket() == stage.address.path)
      #expect(try await stage.server.renewSocket() == nil)
      _ = try await stage.connect().status()
      try await client.setPerHost(7)
      withExtendedLifetime(events) {}
      await client.close()
    }
  }

  @Test("a server whose folder for the socket is gone listens at the usual address of the library")
  func deletedFolder() async throws {
    try await withStage(clock: SystemClock()) { (stage) async throws in
      let folder = FileSystem.parentFolder(of: stage.address.path)
      try FileSystem.removeTree(folder)
      try FileSystem.replace(folder, with: "no folder can be made here")
      let usual = try ControlAddress(libraryRoot: stage.root)
      #expect(try await stage.server.renewSocket() == usual.path)
      try stage.writeLock("\(getpid())\n\(usual.path)\n")
      _ = try await stage.connect().status()
    }
  }

  @Test("many clients at once are all answered")
  func crowd() async throws {
    try await withStage(clock: SystemClock()) { (stage) async throws in
      try await withThrowingTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            let client = try await stage.connect()
            for round in 0..<25 {
              if (number + round) % 5 == 0 {
                try await client.setPerHost(number + 1)
              } else {
                #expect(try await client.status().concurrency == 8)
              }
            }
            await client.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

/// What a server may leave behind.
private enum Remains {
  static func live() async throws {
    let stage = try await Stage(MemoryLibrary(isOpen: false))
    let client = try await stage.connect()
    let stream = await client.eventStream()
    try await client.setConcurrency(3)
    await client.setVisibleRange(0..<4, of: RecordID(1), for: ViewerID(1))
    let add = Task { try await client.add(SourceRequest(location: .file("/a"))) }
    try await stage.library.gate.untilWaiting()
    let idle = try await RawConnection(stage)
    await stage.server.stop()
    for await _ in stream {}
    guard await (try? add.value) == nil else { throw LibraryError(.io, "the add went on") }
    await idle.close()
    await client.close()
    await stage.loop.shutDown()
  }

  /// Sockets, files, and what wakes a loop. The runtime opens a timer here and there.
  static func descriptors() throws -> Int {
    try FileSystem.list("/proc/self/fd").filter { descriptor in
      let target = (try? FileSystem.linkTarget("/proc/self/fd/\(descriptor.name)")) ?? ""
      return !target.isEmpty && !target.hasSuffix("[timerfd]") && !target.hasPrefix("pipe:")
    }.count
  }

  static func threads() throws -> Int {
    try FileSystem.list("/proc/self/task").filter { task in
      let name = (try? FileSystem.contents(of: "/proc/self/task/\(task.name)/comm")) ?? []
      return ["imgdl-control\n", "imgdl-client\n", "test\n"]
        .contains(String(decoding: name, as: UTF8.self))
    }.count
  }

  /// What a task has is given back when it ends, which may be a moment after it was waited for.
  static func settle(descriptors: Int, threads: Int) async throws {
    for _ in 0..<100_000 {
      if try self.descriptors() <= descriptors, try self.threads() <= threads { return }
      await Task.yield()
    }
    throw LibraryError(
      .io, "\(try self.descriptors()) descriptors and \(try self.threads()) threads are left")
  }
}
