import Models
import Transport

/// One answer on its way to one sink.
struct FakeExchange {
  let request: TransportRequest
  let answer: FakeAnswer
  let sink: any BodySink

  func run() async throws(TransportError) -> TransportResponse {
    if let location = answer.location, let permitted = request.permittedRedirects,
      let next = try? HTTPURL(location), !permitted.contains(next)
    {
      throw TransportError(.redirectNotPermitted, url: next, detail: "not permitted")
    }
    reportRedirects()
    if let gate = answer.gate { try await pass(gate, delivered: 0) }
    if Task.isCancelled { throw cancelled(0) }
    if let failure = answer.failure, answer.failsAfter == nil { throw failed(failure, 0) }
    let (head, body) = shape()
    request.cookies?.receive(head.fields, from: head.url)
    let decision: BodyDecision
    do {
      decision = answer.hasHead ? try sink.begin(head) : .accept
    } catch {
      throw sinkFailed(error, 0)
    }
    if decision == .refuse {
      return TransportResponse(head: head, body: .refused, timings: timings)
    }
    let count = try await send(body)
    if let limit = answer.failsAfter, let failure = answer.failure, limit >= body.count {
      throw failed(failure, count)
    }
    return TransportResponse(
      head: head, body: .complete(byteCount: Int64(count), isLengthKnown: answer.hasLength),
      timings: timings)
  }

  private func reportRedirects() {
    var (url, hasLeftOrigin) = (request.url, false)
    for (location, fields) in answer.redirects {
      guard let next = try? url.resolving(location) else { return }
      var fields = fields
      fields.set("Location", location)
      sink.redirected(
        by: ResponseHead(status: 302, url: url, fields: fields, hasLeftOrigin: hasLeftOrigin))
      url = next
      hasLeftOrigin = hasLeftOrigin || next.origin != request.url.origin
    }
  }

  private var timings: TransferTimings {
    var timings = TransferTimings()
    timings.queue = 1
    timings.firstByte = 2
    timings.lastByte = 3
    return timings
  }

  private func send(_ body: ArraySlice<UInt8>) async throws(TransportError) -> Int {
    var sent = 0
    var gates = answer.bodyGates[...]
    while sent < body.count {
      var size = min(answer.chunk, body.count - sent)
      if let limit = answer.failsAfter { size = min(size, max(0, limit - sent)) }
      if let held = gates.first {
        if sent >= held.after {
          gates.removeFirst()
          try await pass(held.gate, delivered: sent)
        } else {
          size = min(size, held.after - sent)
        }
      }
      if Task.isCancelled { throw cancelled(sent) }
      if size == 0, let failure = answer.failure { throw failed(failure, sent) }
      let start = body.startIndex + sent
      let chunk = Array(body[start..<start + size])
      do {
        try sink.receive(chunk.span.bytes)
      } catch {
        throw sinkFailed(error, sent)
      }
      sent += size
    }
    return sent
  }

  /// The head and the bytes, after a look at `Range`.
  private func shape() -> (ResponseHead, ArraySlice<UInt8>) {
    var fields = answer.fields
    var status = answer.status
    var body = answer.body[...]
    if status == 200, answer.honoursConditions, isUnchanged {
      status = 304
      body = []
    }
    if status == 200, answer.honoursRange, let (first, end) = requestedRange {
      if first >= body.count {
        status = 416
        fields.set("Content-Range", "bytes */\(body.count)")
        body = []
      } else {
        status = 206
        let end = min(end ?? body.count, body.count)
        fields.set("Content-Range", "bytes \(first)-\(end - 1)/\(body.count)")
        body = body[first..<end]
      }
    }
    if answer.hasLength, status != 304, fields["Content-Length"] == nil {
      fields.append("Content-Length", "\(body.count)")
    }
    let head = ResponseHead(
      status: status, url: lastURL, fields: fields,
      hasLeftOrigin: answer.leavesOrigin || lastURL.origin != request.url.origin)
    return (head, body)
  }

  /// The fields of the request at the end of the redirects.
  private var arrivingFields: HTTPFields {
    guard lastURL != request.url else { return request.fields }
    var policy = RedirectPolicy(request)
    let location = HTTPFields(["Location": lastURL.description])
    _ = try? policy.handle(status: 302, fields: location)
    return policy.fields
  }

  private var lastURL: HTTPURL { answer.location.flatMap { try? HTTPURL($0) } ?? request.url }

  /// Whether the request is for a change, and there is none (RFC 9110 §13.2.2).
  private var isUnchanged: Bool {
    let fields = arrivingFields
    if let known = fields["If-None-Match"] { return known == answer.fields["ETag"] }
    guard let date = fields["If-Modified-Since"] else { return false }
    return date == answer.fields["Last-Modified"]
  }

  /// The bytes that the request asks for, if its validator is still right; without an end: to the end of the
  /// file.
  private var requestedRange: (first: Int, end: Int?)? {
    let fields = arrivingFields
    guard let range = fields["Range"], range.hasPrefix("bytes=") else { return nil }
    let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Int(bounds[0]), bounds[1].isEmpty || Int(bounds[1]) != nil
    else { return nil }
    let wanted = (first: first, end: Int(bounds[1]).map { $0 + 1 })
    guard let condition = fields["If-Range"] else { return wanted }
    let known = [answer.fields["ETag"], answer.fields["Last-Modified"]]
    return known.contains(condition) ? wanted : nil
  }

  private func pass(_ gate: Gate, delivered: Int) async throws(TransportError) {
    do {
      try await gate.pass()
    } catch {
      throw cancelled(delivered)
    }
  }

  private func cancelled(_ delivered: Int) -> TransportError { failed(.cancelled, delivered) }

  private func failed(_ code: TransportError.Code, _ delivered: Int) -> TransportError {
    TransportError(
      code, url: lastURL, detail: "\(code.rawValue), as written down",
      bytesDelivered: Int64(delivered))
  }

  private func sinkFailed(_ error: SinkError, _ delivered: Int) -> TransportError {
    TransportError(
      .sink, url: request.url, detail: error.description, bytesDelivered: Int64(delivered),
      sinkError: error)
  }
}
