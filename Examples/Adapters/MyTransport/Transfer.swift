import Glibc
import HTTP1
import Models
import Transport

/// One exchange with its redirects, on a thread of its own. `cancel` may come from any thread.
final class Transfer: Sendable {
  private let request: TransportRequest
  private let sink: any BodySink
  private let userAgent: String
  private let stop: StopSignal

  init(
    _ request: TransportRequest, _ sink: any BodySink, userAgent: String
  ) throws(TransportError) {
    guard let stop = StopSignal() else {
      throw TransportError(.system, url: request.url, detail: "there are no file descriptors left")
    }
    (self.request, self.sink, self.userAgent, self.stop) = (request, sink, userAgent, stop)
  }

  func cancel() { stop.give() }

  /// Blocks until the transfer has ended.
  func run() -> Result<TransportResponse, TransportError> {
    Result { () throws(TransportError) in try exchange() }
  }

  private func exchange() throws(TransportError) -> TransportResponse {
    let clock = TransferClock(request.limits)
    var policy = RedirectPolicy(request)
    var addresses = request.addresses
    while true {
      let (url, fields) = (policy.url, policy.fields)
      let head = try RequestHead.bytes(url, fields, userAgent: userAgent)
      let connection = try Connection(url, addresses, clock, stop)
      try connection.send(head)
      let reader = ResponseReader(connection, url: url, request: request, sink: sink)
      let message = try reader.readHead()
      let hasLeftOrigin = policy.hasLeftOrigin
      if try policy.handle(status: message.status, fields: message.fields) == .follow {
        sink.redirected(by: reader.head(of: message, hasLeftOrigin: hasLeftOrigin))
        addresses = addresses.afterHop(from: connection.address)
        continue
      }
      return try reader.deliver(message, after: policy)
    }
  }
}

/// The bytes of the request. The transport sets the fields that frame the message, regardless of the
/// caller's.
private enum RequestHead {
  private static let own = [
    "Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Keep-Alive", "Content-Length",
    "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Expect", "Proxy-Connection",
    "Proxy-Authorization",
  ]

  static func bytes(
    _ url: HTTPURL, _ given: HTTPFields, userAgent: String
  ) throws(TransportError) -> [UInt8] {
    guard url.scheme == .http else {
      throw TransportError(.tls, url: url, detail: "my-transport does not speak TLS")
    }
    var fields = HTTPFields()
    fields.append("Host", url.origin.authority)
    fields.append("User-Agent", given["User-Agent"] ?? userAgent)
    fields.append("Accept", given["Accept"] ?? "*/*")
    fields.append("Accept-Encoding", "identity")
    for field in given.fields where !own.contains(where: { HTTPFields.isSame($0, field.name) }) {
      fields.append(field.name, field.value)
    }
    do throws(HTTPParseError) {
      return try RequestSerializer.bytes(
        RequestHeadMessage(method: "GET", target: url.target, fields: fields))
    } catch {
      throw TransportError(.invalidRequest, url: url, detail: TransportError.escaped(error.detail))
    }
  }
}

/// Reads one response from a connection and hands its body to the sink.
private final class ResponseReader {
  private let connection: Connection
  private let url: HTTPURL
  private let request: TransportRequest
  private let sink: any BodySink
  private var parser = ResponseParser()
  /// The received bytes that have not been parsed.
  private var input: [UInt8] = []
  private var byteCount: Int64 = 0
  private var timings = TransferTimings()

  init(_ connection: Connection, url: HTTPURL, request: TransportRequest, sink: any BodySink) {
    (self.connection, self.url, self.request, self.sink) = (connection, url, request, sink)
  }

  func readHead() throws(TransportError) -> ResponseHeadMessage {
    while true {
      if case .head(let message) = try step() {
        timings.queue = 0
        timings.firstByte = connection.clock.seconds
        return message
      }
      try receive(isHead: true)
    }
  }

  /// - Parameter hasLeftOrigin: Whether a redirect before the response has left the first origin.
  func head(of message: ResponseHeadMessage, hasLeftOrigin: Bool) -> ResponseHead {
    ResponseHead(
      status: message.status, url: url, fields: message.fields,
      remoteAddress: connection.address?.description, hasLeftOrigin: hasLeftOrigin)
  }

  /// Gives the head and the body to the sink.
  /// - Parameter redirects: The redirects that have led to the response.
  func deliver(
    _ message: ResponseHeadMessage, after redirects: RedirectPolicy
  ) throws(TransportError) -> TransportResponse {
    let head = head(of: message, hasLeftOrigin: redirects.hasLeftOrigin)
    var body = TransportResponse.Body.refused
    if try ask(head) == .accept {
      // A length that is too large is refused before its bytes come.
      if let length = parser.remainingLength { try checkSize(length) }
      while try !deliverNext() { try receive(isHead: false) }
      body = .complete(byteCount: byteCount, isLengthKnown: parser.framing != .untilClose)
    }
    timings.lastByte = connection.clock.seconds
    return TransportResponse(
      head: head, body: body, timings: timings, redirectCount: redirects.count)
  }

  private func ask(_ head: ResponseHead) throws(TransportError) -> BodyDecision {
    do throws(SinkError) {
      return try sink.begin(head)
    } catch {
      throw failure(of: error)
    }
  }

  /// Passes the received part of the body to the sink.
  /// - Returns: Whether the body is complete.
  private func deliverNext() throws(TransportError) -> Bool {
    while true {
      let before = input
      switch try step() {
      case .needInput: return parser.isComplete
      case .head: continue
      case .end: return true
      case .body(let range):
        try checkSize(Int64(range.count))
        let start = connection.clock.now
        do throws(SinkError) {
          try sink.receive(before[range].span.bytes)
        } catch {
          throw failure(of: error)
        }
        byteCount += Int64(range.count)
        connection.clock.exclude(from: start)
        try connection.checkStopped(bytesDelivered: byteCount)
      }
    }
  }

  private func checkSize(_ count: Int64) throws(TransportError) {
    guard count > request.limits.maxBodyBytes - byteCount else { return }
    throw TransportError(
      .limitExceeded, url: url, detail: TransportError.tooLarge(request.limits.maxBodyBytes),
      bytesDelivered: byteCount)
  }

  private func failure(of error: SinkError) -> TransportError {
    TransportError(
      .sink, url: url, detail: TransportError.escaped(error.description, limit: 400),
      bytesDelivered: byteCount, sinkError: error)
  }

  private func step() throws(TransportError) -> ResponseParser.Step {
    do throws(HTTPParseError) {
      let (consumed, step) = try parser.parse(input.span.bytes)
      input.removeFirst(consumed)
      return step
    } catch {
      throw broken(error)
    }
  }

  private func receive(isHead: Bool) throws(TransportError) {
    guard try connection.receive(into: &input, bytesDelivered: byteCount) else {
      do throws(HTTPParseError) {
        return try parser.finishInput()
      } catch {
        guard isHead else { throw broken(error) }
        throw TransportError(
          .connectionLost, url: url, detail: "\(url.origin) closed the connection")
      }
    }
  }

  private func broken(_ error: HTTPParseError) -> TransportError {
    let code: TransportError.Code =
      switch error.code {
      case .truncated: .truncated
      case .headTooLarge, .tooManyFields, .trailerTooLarge, .tooManyInformational: .limitExceeded
      default: .protocolViolation
      }
    return TransportError(
      code, url: url,
      detail:
        "\(url.origin) does not keep to HTTP: \(TransportError.escaped(error.detail, limit: 300))",
      bytesDelivered: byteCount)
  }
}
