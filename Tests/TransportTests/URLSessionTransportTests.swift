import HTTP1
import Models
import Origin
import Testing
import Transport
import TransportContracts
import TransportURLSession

/// What the `url-session` adapter makes of single exchanges, beyond the contract.
@Suite(.timeLimit(.minutes(60))) struct URLSessionTransportTests: URLSessionSuite {
  let transport: URLSessionTransport

  init() throws { transport = try Self.makeTransport() }

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

  @Test("a refused body ends the transfer at once, and the helper continues with others")
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
      throw SinkError(disk: "disk full", isFull: true)
    }
    let error = try await failure(request(server), into: sink)
    #expect(error.code == .sink)
    #expect(error.sinkError?.isDiskFull == true)
    await transport.shutdown()
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
    // The bytes may come later than that on a busy machine.
    while true {
      let idle = try await failure(request)
      #expect(idle.code == .idleTimeout)
      if idle.bytesDelivered == 3 { break }
      request.limits.idleTimeout *= 2
    }

    request.url = try HTTPURL(server.url + "silent")
    #expect(try await failure(request).code == .idleTimeout)

    request.limits.idleTimeout = 300
    request.limits.totalTimeout = 0.2
    #expect(try await failure(request).code == .totalTimeout)
    await transport.shutdown()
  }

  @Test("a host that does not take the connection meets the deadline for connecting")
  func connectDeadline() async throws {
    let server = try FullListener()
    var request = TransportRequest(
      url: try HTTPURL("http://127.0.0.1:\(server.port)/"), addresses: .any)
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

  @Test("a public-only request does not go to a loopback address")
  func addressPolicy() async throws {
    let server = try ScriptedServer { _, _, _ in Self.ok("inside") }
    let request = TransportRequest(url: try HTTPURL(server.url), addresses: .publicOnly)
    let error = try await failure(request)
    #expect(error.code == .addressRefused)
    #expect(server.connectionCount == 0)
    await transport.shutdown()
  }
}
