import Dispatch
import Glibc
import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import TransportContracts
import TransportURLSession
import WorkerProcess

/// The `url-session` adapter and its helper program: deaths, hangs, memory, queueing.
@Suite(.timeLimit(.minutes(60))) struct URLSessionHelperTests: URLSessionSuite {
  let transport: URLSessionTransport

  init() throws { transport = try Self.makeTransport() }

  @Test("half a header kills the helper: that transfer fails, the others finish, we live")
  func halfHeader() async throws {
    let arrived = try Gate()
    let server = try ScriptedServer { _, _, request in
      switch request.head?.target {
      case "/bad": [.hold(arrived), .sendString("HTTP/1.1 200 OK\r\nContent-Le"), .close]
      default: [.hold(arrived)] + Self.ok("fine", "ETag: \"1\"\r\n")
      }
    }
    let good = (0..<6).map { _ in RecordingSink() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sink in good {
        group.addTask {
          let response = try await transport.perform(try request(server, "good"), into: sink)
          #expect(response.body == .complete(byteCount: 4, isLengthKnown: true))
        }
      }
      group.addTask {
        let error = try await failure(try request(server, "bad"))
        #expect(error.code == .helperDied)
        #expect(error.isRetryable)
      }
      _ = await server.requests(count: 7)
      arrived.open()
      try await group.waitForAll()
    }
    #expect(good.allSatisfy { $0.text == "fine" && $0.heads.count == 1 })
    // And the adapter goes on.
    let sink = RecordingSink()
    _ = try await transport.perform(request(server, "later"), into: sink)
    #expect(sink.text == "fine")
    await transport.shutdown()
  }

  @Test("many transfers from a server with every fault all arrive, unmixed, in a few attempts")
  func storm() async throws {
    let folder = Self.spool + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    try FileSystem.makeFolders(folder)
    defer { try? FileSystem.removeTree(folder) }
    let count = 80
    for index in 0..<count {
      let bytes = randomBytes(20_000 + 500 * index, seed: UInt64(index))
      try FileSystem.replace("\(folder)/\(index)", with: bytes.span.bytes, syncing: false)
    }
    var configuration = OriginConfiguration(folder: folder)
    configuration.faults = [
      FaultRate(.halfHeader, percent: 5), FaultRate(.reset, percent: 5),
      FaultRate(.truncate, percent: 5), FaultRate(.badChunk, percent: 5),
      FaultRate(.bothLengths, percent: 3), FaultRate(.close, percent: 5),
    ]
    configuration.seed = 1
    let server = try OriginServer(configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= 16 { try await group.next() }
        group.addTask {
          let url = try HTTPURL(server.url + "\(index)")
          let body = try await fetchStubbornly(url)
          #expect(body == randomBytes(20_000 + 500 * index, seed: UInt64(index)))
        }
      }
      try await group.waitForAll()
    }
    #expect(server.log.entries.contains { $0.fault == .halfHeader })
    await transport.shutdown()
  }

  private func fetchStubbornly(_ url: HTTPURL) async throws -> [UInt8] {
    for _ in 0..<8 {
      let sink = RecordingSink()
      do {
        _ = try await transport.perform(TransportRequest(url: url, addresses: .any), into: sink)
        return sink.body
      } catch {
        #expect(error.isRetryable, "\(error)")
      }
    }
    Issue.record("\(url) failed eight times")
    return []
  }

  @Test("a transfer whose helper died continues after the bytes that the sink has")
  func continuation() async throws {
    let body = String(repeating: "0123456789", count: 30_000)
    let stopped = try Gate()
    let server = try ScriptedServer { connection, _, request in
      if request.head?.target == "/bad" {
        return [.hold(stopped), .sendString("HTTP/1.1 200 OK\r\nX"), .close]
      }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: \"v1\"\r\n\r\n"
      guard connection == 0 else { return [.sendString(head + body)] }
      return [.sendString(head + body.prefix(100_000)), .hold(nil)]
    }
    let sink = RecordingSink { count in if count == 100_000 { stopped.open() } }
    async let good = transport.perform(request(server, "good"), into: sink)
    _ = await server.requests(count: 1)
    let error = try await failure(request(server, "bad"))
    #expect(error.code == .helperDied)
    #expect(try await good.body == .complete(byteCount: 300_000, isLengthKnown: true))
    #expect(sink.text == body)
    #expect(sink.heads.count == 1)
    await transport.shutdown()
  }

  @Test("a resource that has changed meanwhile is not continued but fails, retryably")
  func noContinuation() async throws {
    let stopped = try Gate()
    let server = try ScriptedServer { connection, _, request in
      if request.head?.target == "/bad" {
        return [.hold(stopped), .sendString("HTTP/1.1 200 OK\r\nX"), .close]
      }
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: \"v\(connection)\"\r\n\r\n"
      return connection == 0
        ? [.sendString(head + "abc"), .hold(nil)] : [.sendString(head + "abcdefghi")]
    }
    let sink = RecordingSink { _ in stopped.open() }
    let changing = Task { try await failure(request(server, "good"), into: sink) }
    _ = await server.requests(count: 1)
    _ = try await failure(request(server, "bad"))
    let error = try await changing.value
    #expect(error.code == .connectionLost)
    #expect(error.bytesDelivered == 3)
    #expect(sink.text == "abc")
    await transport.shutdown()
  }

  @Test("a large body waits for a slow sink in the spool, not in the helper's memory")
  func large() async throws {
    let size = 128 << 20
    let block = (0..<262_144).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
    let sent = try Gate()
    let server = try ScriptedServer { _, _, _ in
      [.sendString("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")]
        + Array(repeating: .send(block), count: size / block.count) + [.open(sent)]
    }
    let helper = try LinkedHelper(in: Self.spool)
    let transport = try Self.makeTransport(program: helper.path)
    let sink = ComparingSink(block)
    async let response = transport.perform(request(server), into: sink)
    await sent.wait()
    sink.mayGoOn.signal()
    #expect(try await response.body == .complete(byteCount: Int64(size), isLengthKnown: true))
    #expect(sink.count == size && sink.isEqual)
    let peak = try #require(helper.peakMemory)
    #expect(peak < size / 2, "the helper used \(peak) bytes")
    await transport.shutdown()
    #expect(helper.peakMemory == nil)
  }

  @Test("more transfers than a helper takes wait their turn and finish")
  func queueing() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("ok") }
    let narrow = try Self.makeTransport(capacity: 3)
    try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<40 {
        group.addTask {
          let sink = RecordingSink()
          _ = try await narrow.perform(try request(server, "\(index)"), into: sink)
          return sink.text
        }
      }
      for try await text in group { #expect(text == "ok") }
    }
    #expect(server.connectionCount <= 6)
    await narrow.shutdown()
  }

  @Test("a helper that dies at its start is an error with its last output, not a loop")
  func badHelper() async throws {
    let folder = Self.spool + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    try FileSystem.makeFolders(folder)
    defer { try? FileSystem.removeTree(folder) }
    // Not a script of its own: a file just written may be busy while another test starts a process.
    let script = "echo start >> \(folder)/log; echo no libcurl >&2; exit 3"
    let broken = try URLSessionTransport(
      URLSessionTransport.Configuration(
        program: WorkerProgram(path: "/bin/sh", arguments: ["-c", script]),
        spoolFolder: Self.spool))
    let url = try HTTPURL("http://127.0.0.1:1/")
    do {
      _ = try await broken.perform(
        TransportRequest(url: url, addresses: .any), into: RecordingSink())
      Issue.record("no failure")
    } catch {
      #expect(error.code == .helperDied)
      #expect(
        error.detail == "the helper program cannot start: sh exited with code 3: no libcurl")
    }
    #expect(try FileSystem.contents(of: folder + "/log").count { $0 == 0x0a } == 3)
    await broken.shutdown()
  }

  @Test("shutting down cancels running transfers and ends the helper; later requests fail")
  func shutdown() async throws {
    let server = try ScriptedServer { _, _, _ in [.hold(nil)] }
    let task = Task { try await failure(request(server)) }
    _ = await server.requests(count: 1)
    await transport.shutdown()
    #expect(try await task.value.code == .cancelled)
    #expect(try await failure(request(server)).code == .cancelled)
    await transport.shutdown()
  }

  @Test("a helper that hangs is killed when it does not release, and its transfers are repeated")
  func stuckHelper() async throws {
    let server = try ScriptedServer { _, _, request in
      request.head?.target == "/silent" ? [.hold(nil)] : Self.ok("ok")
    }
    let helper = try LinkedHelper(in: Self.spool)
    let transport = try Self.makeTransport(program: helper.path, patience: 0.05)
    let cancelled = Task {
      try await transport.perform(try request(server, "silent"), into: RecordingSink())
    }
    _ = await server.requests(count: 1)
    let process = try #require(helper.processes.first.flatMap { Int32($0) })
    kill(process, SIGSTOP)
    cancelled.cancel()
    await #expect(throws: TransportError.self) { try await cancelled.value }
    let sink = RecordingSink()
    _ = try await transport.perform(try request(server), into: sink)
    #expect(sink.text == "ok")
    #expect(kill(process, 0) != 0)
    await transport.shutdown()
    #expect(helper.processes.isEmpty)
  }

  @Test("the helper leaves nothing in the user's home")
  func home() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("ok", "Set-Cookie: a=b; Max-Age=99999\r\n")
    }
    let home = Self.spool + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    try FileSystem.makeFolders(home)
    defer { try? FileSystem.removeTree(home) }
    let environment = WorkerEnvironment.passing(adding: ["HOME": home])
    let tidy = try Self.makeTransport(environment: environment)
    for path in ["one", "two"] {
      _ = try await tidy.perform(request(server, path), into: RecordingSink())
    }
    #expect(server.requests.allSatisfy { $0.head?.fields["Cookie"] == nil })
    await tidy.shutdown()
    #expect(try FileSystem.list(home).map(\.name) == [])
  }

  @Test("a spool folder that is missing is a readable error")
  func missingSpool() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("x") }
    let homeless = try Self.makeTransport(spool: "/nowhere/spool")
    do {
      _ = try await homeless.perform(request(server), into: RecordingSink())
      Issue.record("no failure")
    } catch let error as TransportError {
      #expect(error.code == .system)
      #expect(error.detail == "cannot create a file in /nowhere/spool: No such file or directory")
    }
    await homeless.shutdown()
  }
}
