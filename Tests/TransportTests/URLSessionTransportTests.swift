import Dispatch
import Glibc
import HTTP1
import Models
import Origin
import SystemCalls
import Testing
import Transport
import WorkerProcess

@testable import TransportURLSession

/// The adapter with its helper program, against a server that does what it is told.
@Suite(.timeLimit(.minutes(2))) struct URLSessionTransportTests {
  let spool: String
  let transport: URLSessionTransport

  init() throws {
    spool = (Machine.environment("TMPDIR") ?? "/tmp")
    transport = try Self.transport(spool: spool)
  }

  static func transport(
    spool: String, program: String? = nil, capacity: Int = 64, patience: Double = 10
  ) throws -> URLSessionTransport {
    let path = try program ?? HelperLocator().path(of: "imgdl-urlsession")
    var configuration = URLSessionTransport.Configuration(
      program: WorkerProgram(path: path), spoolFolder: spool, userAgent: "imgdl-test/1")
    configuration.transfersPerHelper = capacity
    configuration.patience = patience
    return try URLSessionTransport(configuration)
  }

  static func ok(_ body: String, _ fields: String = "") -> [ScriptedServer.Action] {
    [
      .sendString(
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)")
    ]
  }

  private func request(_ server: ScriptedServer, _ path: String = "") throws -> TransportRequest {
    TransportRequest(url: try HTTPURL(server.url + path))
  }

  private func failure(
    _ request: TransportRequest, into sink: RecordingSink = RecordingSink()
  ) async throws -> TransportError {
    do {
      let response = try await transport.perform(request, into: sink)
      Issue.record("no failure but \(response)")
      throw CancellationError()
    } catch let error as TransportError {
      sink.end()
      #expect(sink.callsAfterEnd == 0)
      return error
    }
  }

  @Test("head, body and timings of a plain response arrive")
  func plain() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("hello", "ETag: \"x\"\r\n") }
    let sink = RecordingSink()
    let response = try await transport.perform(request(server, "a?b=c"), into: sink)
    #expect(sink.text == "hello")
    #expect(sink.heads == [response.head])
    #expect(response.head.status == 200)
    #expect(response.head.fields["etag"] == "\"x\"")
    #expect(response.body == .complete(byteCount: 5, isLengthKnown: true))
    let timings = response.timings
    #expect(0 <= timings.queue ?? -1)
    #expect(timings.queue ?? 0 <= timings.firstByte ?? -1)
    #expect(timings.firstByte ?? 0 <= timings.lastByte ?? -1)
    let head = try #require(server.requests.first?.head)
    #expect(head.target == "/a?b=c")
    #expect(head.fields.all("User-Agent") == ["imgdl-test/1"])
    #expect(head.fields.all("Accept-Encoding") == ["identity"])
    #expect(head.fields.all("Cookie").isEmpty)
    await transport.shutdown()
  }

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

  @Test("a transfer whose helper died goes on behind the bytes that the sink has")
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

  @Test("redirects are followed by our policy: credentials stay with their origin")
  func redirects() async throws {
    let other = try ScriptedServer { _, _, _ in Self.ok("there") }
    let server = try ScriptedServer { _, _, request in
      let location = request.head?.target == "/1" ? "2" : other.url + "x"
      return [
        .sendString(
          "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 4\r\n\r\nbody")
      ]
    }
    var request = try request(server, "1")
    request.fields.append("Authorization", "Bearer secret")
    request.fields.append("X-Own", "1")
    let sink = RecordingSink()
    let response = try await transport.perform(request, into: sink)
    #expect(sink.text == "there")
    #expect(response.redirectCount == 2)
    #expect(response.head.url == (try HTTPURL(other.url + "x")))
    #expect(server.requests.map { $0.head?.target } == ["/1", "/2"])
    #expect(server.requests.allSatisfy { $0.head?.fields["Authorization"] == "Bearer secret" })
    let last = try #require(other.requests.first?.head)
    #expect(last.fields["Authorization"] == nil && last.fields["X-Own"] == nil)
    await transport.shutdown()
  }

  @Test("a redirect without a place to go, in a circle, or to a file is an error")
  func badRedirects() async throws {
    let server = try ScriptedServer { _, _, request in
      let location =
        switch request.head?.target {
        case "/none": ""
        case "/file": "Location: file:///etc/passwd\r\n"
        default: "Location: /loop\r\n"
        }
      return [.sendString("HTTP/1.1 301 Moved\r\n\(location)Content-Length: 0\r\n\r\n")]
    }
    #expect(try await failure(request(server, "none")).code == .badRedirect)
    #expect(try await failure(request(server, "file")).code == .badRedirect)
    #expect(try await failure(request(server, "loop")).code == .tooManyRedirects)
    await transport.shutdown()
  }

  @Test("a refused body ends the transfer at once, and the helper goes on with others")
  func refusal() async throws {
    let server = try ScriptedServer { _, _, request in
      request.head?.target == "/endless"
        ? [.sendString("HTTP/1.1 404 Not Found\r\nContent-Length: 99999999\r\n\r\nx"), .hold(nil)]
        : Self.ok("ok")
    }
    let sink = RecordingSink(.refuse)
    let response = try await transport.perform(request(server, "endless"), into: sink)
    sink.end()
    #expect(response.body == .refused)
    #expect(response.head.status == 404)
    let next = RecordingSink()
    _ = try await transport.perform(request(server), into: next)
    #expect(next.text == "ok")
    #expect(sink.callsAfterEnd == 0 && sink.body.isEmpty)
    await transport.shutdown()
  }

  @Test("cancelling the task ends the transfer, wherever it is")
  func cancellation() async throws {
    let server = try ScriptedServer { _, _, request in
      switch request.head?.target {
      case "/silent": [.hold(nil)]
      case "/begun": [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold(nil)]
      default: Self.ok("ok")
      }
    }
    let begun = try Gate()
    let sink = RecordingSink { _ in begun.open() }
    let tasks = [
      Task { try await failure(request(server, "silent")) },
      Task { try await failure(request(server, "begun"), into: sink) },
    ]
    _ = await server.requests(count: 2)
    await begun.wait()
    for task in tasks { task.cancel() }
    for task in tasks { #expect(try await task.value.code == .cancelled) }
    #expect(sink.text == "abc")

    let early = Task {
      await Task.yield()
      return try await failure(request(server, "silent"))
    }
    early.cancel()
    #expect(try await early.value.code == .cancelled)

    let next = RecordingSink()
    _ = try await transport.perform(request(server), into: next)
    #expect(next.text == "ok")
    await transport.shutdown()
  }

  @Test("a sink that fails ends the transfer with its error")
  func sinkFailure() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("hello") }
    let sink = RecordingSink { (_) throws(SinkError) in
      throw SinkError("disk full", isDiskFull: true)
    }
    let error = try await failure(request(server), into: sink)
    #expect(error.code == .sink)
    #expect(error.sinkError?.isDiskFull == true)
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
    let helper = try LinkedHelper(in: spool)
    let transport = try Self.transport(spool: spool, program: helper.path)
    let sink = ComparingSink(block)
    async let response = transport.perform(request(server), into: sink)
    await sent.wait()
    sink.mayGoOn.signal()
    #expect(try await response.body == .complete(byteCount: Int64(size), isLengthKnown: true))
    #expect(sink.count == size && sink.isEqual)
    let peak = try #require(helper.peakMemory)
    #expect(peak < size, "the helper used \(peak) bytes")
    await transport.shutdown()
    #expect(helper.peakMemory == nil)
  }

  @Test("an idle server, and one that never answers, meet our deadlines")
  func deadlines() async throws {
    let server = try ScriptedServer { _, _, request in
      request.head?.target == "/begun"
        ? [.sendString("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold(nil)]
        : [.hold(nil)]
    }
    var request = try request(server, "begun")
    request.limits.idleTimeout = 1
    let idle = try await failure(request)
    #expect(idle.code == .idleTimeout)
    #expect(idle.bytesDelivered == 3)

    request.url = try HTTPURL(server.url + "silent")
    #expect(try await failure(request).code == .idleTimeout)

    request.limits.idleTimeout = 30
    request.limits.totalTimeout = 0.2
    #expect(try await failure(request).code == .totalTimeout)
    await transport.shutdown()
  }

  @Test("a host that does not take the connection meets the deadline for connecting")
  func connectDeadline() async throws {
    let server = try FullListener()
    var request = TransportRequest(url: try HTTPURL("http://127.0.0.1:\(server.port)/"))
    request.limits.connectTimeout = 1.5
    request.limits.idleTimeout = 0.5
    let error = try await failure(request)
    #expect(error.code == .connectTimeout)
    #expect(error.detail == "no connection to http://127.0.0.1:\(server.port) within 1.5 s")
    await transport.shutdown()
  }

  @Test("each way to cut a response short is an error that says so; chunks are taken away")
  func cuts() async throws {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let answers: [(String, TransportError.Code?)] = [
      ("", .connectionLost), ("HTTP/1.", .connectionLost),
      (chunked + "5\r\nhel", .truncated), (chunked + "5\r\nhello\r\n", .truncated),
      (chunked + "zz\r\nhello\r\n", .protocolViolation),
      (chunked + "5;x=y\r\nhello\r\n0\r\n\r\n", nil),
    ]
    let server = try ScriptedServer { _, _, request in
      let index = Int(request.head?.target.dropFirst() ?? "") ?? 0
      return [.sendString(answers[index].0), .close]
    }
    for (index, answer) in answers.enumerated() {
      let request = try request(server, "\(index)")
      if let code = answer.1 {
        #expect(try await failure(request).code == code, "answer \(index)")
      } else {
        let sink = RecordingSink()
        let response = try await transport.perform(request, into: sink)
        #expect(response.body == .complete(byteCount: 5, isLengthKnown: true))
        #expect(sink.text == "hello")
      }
    }
    await transport.shutdown()
  }

  @Test("a body that ends early is truncated, one with a reset too, a dead port is refused")
  func shortBodies() async throws {
    let server = try ScriptedServer { _, _, request in
      let head = ScriptedServer.Action.sendString(
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
      return request.head?.target == "/reset" ? [head, .reset] : [head, .close]
    }
    #expect(try await failure(request(server, "fin")).code == .truncated)
    #expect(try await failure(request(server, "reset")).code == .truncated)
    server.stop()
    #expect(try await failure(request(server)).code == .connectionRefused)
    await transport.shutdown()
  }

  @Test("a 401 with a challenge completes with its body")
  func challenge() async throws {
    let server = try ScriptedServer { _, _, _ in
      [
        .sendString(
          "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
            + "Content-Length: 4\r\n\r\nshut")
      ]
    }
    let sink = RecordingSink()
    let response = try await transport.perform(request(server), into: sink)
    #expect(response.head.status == 401)
    #expect(sink.text == "shut")
    await transport.shutdown()
  }

  @Test("more transfers than a helper takes wait their turn and finish")
  func queueing() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("ok") }
    let narrow = try Self.transport(spool: spool, capacity: 3)
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

  @Test("a helper that dies at its start is an error with its last words, not a loop")
  func badHelper() async throws {
    let folder = spool + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    try FileSystem.makeFolders(folder)
    defer { try? FileSystem.removeTree(folder) }
    let program = folder + "/imgdl-urlsession"
    try FileSystem.replace(
      program, with: "#!/bin/sh\necho start >> \(folder)/log; echo no libcurl >&2; exit 3\n",
      mode: 0o755)
    let broken = try Self.transport(spool: spool, program: program)
    let url = try HTTPURL("http://127.0.0.1:1/")
    do {
      _ = try await broken.perform(TransportRequest(url: url), into: RecordingSink())
      Issue.record("no failure")
    } catch {
      #expect(error.code == .helperDied)
      #expect(
        error.detail == "the helper program cannot start: imgdl-urlsession exited with code 3: "
          + "no libcurl")
    }
    #expect(try FileSystem.contents(of: folder + "/log").count { $0 == 0x0a } == 3)
    await broken.shutdown()
  }

  @Test("a public-only request does not go to a loopback address")
  func addressPolicy() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("inside") }
    var request = try request(server)
    request.addresses = .publicOnly
    let error = try await failure(request)
    #expect(error.code == .addressRefused)
    #expect(server.connectionCount == 0)
    await transport.shutdown()
  }

  @Test("shutting down cancels what is in work and ends the helper; later requests fail")
  func shutdown() async throws {
    let server = try ScriptedServer { _, _, _ in [.hold(nil)] }
    let task = Task { try await failure(request(server)) }
    _ = await server.requests(count: 1)
    await transport.shutdown()
    #expect(try await task.value.code == .cancelled)
    #expect(try await failure(request(server)).code == .cancelled)
    await transport.shutdown()
  }

  @Test("a helper that hangs is killed when it does not let go, and its transfers run again")
  func stuckHelper() async throws {
    let server = try ScriptedServer { _, _, request in
      request.head?.target == "/silent" ? [.hold(nil)] : Self.ok("ok")
    }
    let helper = try LinkedHelper(in: spool)
    let transport = try Self.transport(spool: spool, program: helper.path, patience: 0.3)
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

  @Test("a spool folder that is missing is a readable error")
  func missingSpool() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("x") }
    let homeless = try Self.transport(spool: "/nowhere/spool")
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
