import Glibc
import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts
import TransportSocket

/// What a process with few descriptors sees. Each test runs in a process of its own, because
/// descriptors and their limit belong to the process; the servers are outside of it.
@Suite("Descriptors of the socket transport")
struct DescriptorTests {
  @Test("For any results of transfers, no descriptor is left open")
  func noLeak() async throws {
    let server = try ScriptedServer { connection, index, request in
      switch request.head?.target {
      case "/reset": [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .reset]
      case "/stall": [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .hold(nil)]
      case "/bad": [.sendString("nonsense\r\n\r\n"), .hold(nil)]
      case "/loop": .redirect(to: "/loop")
      case "/close": .ok("x", fields: "Connection: close\r\n")
      default: .ok("fine")
      }
    }
    let closed = try ScriptedServer { _, _, _ in .ok("x") }
    let deadPort = closed.port
    closed.stop()
    await #expect(processExitsWith: .success) {
      [url = server.url as String, deadPort = deadPort as Int] in
      let transport = SocketTransport()
      // The descriptors that the runtime and the resolver keep open are open after this.
      _ = try await transport.fetch(url)
      _ = try await transport.failure("http://no-such-host.invalid/")
      let before = openDescriptors()
      let limits = TransferLimits.testing.with { $0.idleTimeout = 0.1 }
      for _ in 0..<3 {
        for path in ["reset", "stall", "bad", "loop"] {
          _ = try await transport.failure(url + path, limits: limits)
        }
        _ = try await transport.fetch(url + "close")
        _ = try await transport.failure("http://127.0.0.1:\(deadPort)/")
        _ = try await transport.failure("https://127.0.0.1:\(deadPort)/")
        let task = Task { try await transport.failure(url + "stall") }
        task.cancel()
        _ = try await task.value
        _ = try await transport.fetch(url)
      }
      // At most the idle connections to the server are there in addition.
      #expect(openDescriptors() <= before + 2)
      await transport.shutdown()
      #expect(openDescriptors() < before)
    }
  }

  @Test("After the shutdown none of its threads is left")
  func noThread() async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x") }
    await #expect(processExitsWith: .success) { [port = server.port as Int] in
      let transport = SocketTransport()
      _ = try await transport.fetch("http://localhost:\(port)/")
      #expect(try threadNames().contains("imgdl-socket"))
      #expect(try threadNames().contains("imgdl-names"))
      await transport.shutdown()
      #expect(try !threadNames().contains("imgdl-socket"))
      // The shutdown does not wait for these threads, since a running look-up cannot be interrupted.
      while try threadNames().contains("imgdl-names") { await Task.yield() }
    }
  }

  @Test("With few descriptors transfers wait for each other and all succeed")
  func fewDescriptors() async throws {
    let server = try ScriptedServer { _, _, request in .ok(request.head?.target ?? "") }
    await #expect(processExitsWith: .success) { [url = server.url as String] in
      let transport = SocketTransport()
      _ = try await transport.fetch(url)
      let blocker = blockDescriptors(leaving: 3)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await transport.fetch(url + "\(number)").body == Array("/\(number)".utf8)
          }
        }
        for try await isEqual in group { #expect(isEqual) }
      }
      for descriptor in blocker { close(descriptor) }
      await transport.shutdown()
    }
  }

  @Test(
    "Without a free descriptor a transfer fails within the connect timeout, and reports the reason")
  func noDescriptor() async throws {
    let server = try ScriptedServer { _, _, _ in .ok("x", fields: "Connection: close\r\n") }
    await #expect(processExitsWith: .success) { [url = server.url as String] in
      var options = SocketOptions()
      options.loopCount = 1
      let transport = SocketTransport(options)
      _ = try await transport.fetch(url)
      // The loop tells of the end before it closes the connection, and does one thing after the other.
      _ = try await transport.failure("http://127.0.0.1:1/")
      let blocker = blockDescriptors(leaving: 0)
      let limits = TransferLimits.testing.with { $0.connectTimeout = 0.3 }
      let error = try await transport.failure(url, limits: limits)
      #expect(error.code == .system)
      #expect(error.isRetryable)
      #expect(error.detail.contains("descriptor"))
      for descriptor in blocker { close(descriptor) }
      _ = try await transport.fetch(url)
      await transport.shutdown()
    }
  }
}

private func threadNames() throws -> [String] {
  try FileSystem.list("/proc/self/task").map { entry in
    let path = "/proc/self/task/\(entry.name)/comm"
    let bytes = (try? FileSystem.contents(of: path)) ?? []
    return String(decoding: bytes.filter { $0 != 0x0a }, as: UTF8.self)
  }
}

private func openDescriptors() -> Int {
  (0..<1_024).count { fcntl($0, F_GETFD) != -1 }
}

/// Takes descriptors until the limit, but for `count`.
private func blockDescriptors(leaving count: Int) -> [Int32] {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(7), &limit)
  limit.rlim_cur = 256
  setrlimit(__rlimit_resource_t(7), &limit)
  var taken: [Int32] = []
  while true {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { break }
    taken.append(descriptor)
  }
  for descriptor in taken.suffix(count) { close(descriptor) }
  return Array(taken.dropLast(count))
}
