public import Models
public import Transport

/// What a `FakeTransport` answers to one request.
public struct FakeAnswer: Sendable {
  public var status: Int
  public var fields: HTTPFields
  public var body: [UInt8]
  /// The URL that answers or fails, if a redirect led to another one.
  public var location: String?
  /// The redirects on the way to `location`, in their order, with the fields of each besides `Location`.
  public var redirects: [(location: String, fields: HTTPFields)] = []
  /// Whether the redirects have led over another origin, even if `location` is of the first one.
  public var leavesOrigin = false
  /// Bytes handed to the sink at a time.
  public var chunk = 16_384
  /// Whether `Content-Length` is sent.
  public var hasLength = true
  /// Whether `Range` is understood.
  public var honoursRange = true
  /// Whether `If-None-Match` and `If-Modified-Since` are.
  public var honoursConditions = true
  /// The transfer fails with `failure` after so many bytes of the body; nil with a failure: before the head.
  public var failsAfter: Int?
  public var failure: TransportError.Code?
  /// Whether the sink receives the head before the body; false is a fault of the transport.
  public var hasHead = true
  /// Passed before the head.
  public var gate: Gate?
  /// Passed in order, each when so many bytes of the body have been handed over.
  public var bodyGates: [(after: Int, gate: Gate)] = []

  public init(status: Int = 200, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A whole file with a strong entity tag.
  public static func file(
    _ body: [UInt8], tag: String? = "\"v1\"", type: String = "image/png"
  ) -> FakeAnswer {
    var answer = FakeAnswer(body: body)
    answer.fields.append("Content-Type", type)
    if let tag { answer.fields.append("ETag", tag) }
    return answer
  }

  public static func failure(_ code: TransportError.Code) -> FakeAnswer {
    var answer = FakeAnswer()
    answer.failure = code
    return answer
  }

  /// The same, behind a redirect to that URL, which follows those that were written down before.
  /// - Parameter fields: The fields of the redirect besides `Location`.
  public func redirected(
    to url: String, with fields: HTTPFields = HTTPFields(), overAnotherOrigin: Bool = false
  ) -> FakeAnswer {
    var answer = self
    answer.location = url
    answer.redirects.append((url, fields))
    answer.leavesOrigin = overAnotherOrigin
    return answer
  }

  /// The same, broken off after so many bytes.
  public func cut(
    after count: Int, _ code: TransportError.Code = .connectionLost
  ) -> FakeAnswer {
    var answer = self
    answer.failsAfter = count
    answer.failure = code
    return answer
  }

  public func withoutHead() -> FakeAnswer {
    var answer = self
    answer.hasHead = false
    return answer
  }

  public func held(by gate: Gate) -> FakeAnswer {
    var answer = self
    answer.gate = gate
    return answer
  }

  public func held(by gate: Gate, after count: Int) -> FakeAnswer {
    var answer = self
    answer.bodyGates.append((count, gate))
    return answer
  }

  /// The same with a field more, in place of one of that name.
  public func with(_ name: String, _ value: String?) -> FakeAnswer {
    var answer = self
    answer.fields.remove(name)
    if let value { answer.fields.append(name, value) }
    return answer
  }

  public func withoutRanges() -> FakeAnswer {
    var answer = self
    answer.honoursRange = false
    return answer
  }

  public func withoutConditions() -> FakeAnswer {
    var answer = self
    answer.honoursConditions = false
    return answer
  }

  public func withoutLength() -> FakeAnswer {
    var answer = self
    answer.hasLength = false
    return answer
  }
}
