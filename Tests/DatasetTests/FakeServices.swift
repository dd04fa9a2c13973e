import Models
import Rendering
import Synchronization
import SystemCalls
import Transport

/// Answers requests from a table, at once or when the test says so.
final class FakeTransport: Transport {
  enum Answer: Sendable {
    case body([UInt8], fields: HTTPFields = HTTPFields())
    case status(Int, fields: HTTPFields = HTTPFields())
    case failure(TransportError.Code)
    /// The transfer ends only if it is cancelled.
    case never
  }

  private let answers: @Sendable (HTTPURL, Int) -> Answer
  private let attempts = Mutex<[String: Int]>([:])
  private let inFlight = Mutex((now: 0, most: 0))

  /// - Parameter answers: Returns the answer for a URL and the number of its attempt, from 1.
  init(_ answers: @escaping @Sendable (HTTPURL, Int) -> Answer) { self.answers = answers }

  var mostInFlight: Int { inFlight.withLock { $0.most } }

  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    inFlight.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
    defer { inFlight.withLock { $0.now -= 1 } }
    let attempt = attempts.withLock { attempts in
      attempts[request.url.description, default: 0] += 1
      return attempts[request.url.description] ?? 0
    }
    switch answers(request.url, attempt) {
    case .body(let bytes, let fields):
      return try deliver(bytes, 200, fields, request.url, sink)
    case .status(let status, let fields):
      return try deliver([], status, fields, request.url, sink)
    case .failure(let code): throw TransportError(code, url: request.url, detail: "")
    case .never:
      let stream = AsyncStream<Never> { _ in }
      for await _ in stream {}
      throw TransportError(.cancelled, url: request.url, detail: "")
    }
  }

  private func deliver(
    _ bytes: [UInt8], _ status: Int, _ fields: HTTPFields, _ url: HTTPURL, _ sink: any BodySink
  ) throws(TransportError) -> TransportResponse {
    let head = ResponseHead(status: status, url: url, fields: fields)
    do throws(SinkError) {
      guard try sink.begin(head) == .accept else {
        return TransportResponse(head: head, body: .refused, timings: TransferTimings())
      }
      // Two pieces, as from a network.
      let half = bytes.count / 2
      for piece in [bytes[..<half], bytes[half...]] where !piece.isEmpty {
        try sink.receive(Array(piece).span.bytes)
      }
    } catch {
      throw TransportError(.sink, url: url, detail: error.description, sinkError: error)
    }
    return TransportResponse(
      head: head, body: .complete(byteCount: Int64(bytes.count), isLengthKnown: true),
      timings: TransferTimings())
  }

  func shutdown() async {}
}

/// Returns the bytes of a file reversed as its sample, and rejects files that begin with "bad".
final class FakeRenderer: Renderer {
  private let failure: @Sendable (String, Int) -> RenderError?
  private let calls = Mutex<[String: Int]>([:])
  /// The times in seconds that the worker granted.
  let granted = Mutex<[Double]>([])

  /// - Parameter failure: Returns the failure for a file and the number of the attempt, from 1.
  init(_ failure: @escaping @Sendable (String, Int) -> RenderError? = { _, _ in nil }) {
    self.failure = failure
  }

  func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo {
    throw RenderError(.unsupported, "")
  }

  func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult {
    throw RenderError(.unsupported, "")
  }

  func makeSample(
    of file: OwnedDescriptor, _ options: SampleOptions, within seconds: Double,
    whenEnded: @escaping @Sendable (Result<RenderResult, RenderError>) -> Void
  ) {
    let bytes = (try? file.bytes(count: Int(file.status().size), at: 0)) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    granted.withLock { $0.append(seconds) }
    let call = calls.withLock { calls in
      calls[text, default: 0] += 1
      return calls[text] ?? 0
    }
    if let error = failure(text, call) { return whenEnded(.failure(error)) }
    guard !bytes.starts(with: "bad".utf8) else {
      return whenEnded(.failure(RenderError(.damaged, "")))
    }
    let info = DocumentInfo(format: .jpeg, width: 4, height: 3)
    let isRejected = bytes.starts(with: "small".utf8)
    let rendition = Rendition(format: .jpeg, width: 2, height: 1, bytes: bytes.reversed())
    whenEnded(
      .success(
        RenderResult(
          info: info, renditions: isRejected ? [] : [rendition],
          damage: bytes.starts(with: "part".utf8) ? RenderError(.truncated, "") : nil,
          sample: SampleResult(
            imageWidth: 4, imageHeight: 3, rejection: isRejected ? .tooSmall : nil, exif: "{}"))))
  }

  func shutdown() async {}
}
