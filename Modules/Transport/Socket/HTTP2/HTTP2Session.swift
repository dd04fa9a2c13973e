import CNGHTTP2
import HTTP1
import Models

/// The client side of one HTTP/2 connection (RFC 9113): a pure state machine that converts bytes to
/// events and requests to bytes. libnghttp2 implements framing, HPACK and the stream states.
///
/// The caller passes received bytes to `receive(_:)`, and sends the bytes of `output(into:)` until there are
/// none. After each of these calls the caller handles the events of `drainEvents()` and checks `failure`.
/// Body bytes occupy the flow-control windows until `consumed(_:of:)` is called.
///
/// Confined to its event loop. The callbacks of the C session hold an unretained pointer to this object,
/// which is valid because only this object uses and deletes the C session.
final class HTTP2Session {
  /// The failure that ends the connection once the pending events have been handled.
  private(set) var failure: HTTP2Failure?
  let limits: HTTP2Limits

  private var events: [HTTP2Event] = []
  private var session: OpaquePointer?
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var responses: [Int32: ResponseState] = [:]
  private var section = FieldBlock()
  private var violations: [Int32: HTTP2Closing] = [:]
  /// The error text of the last invalid frame.
  private var lastInvalid: String?
  private var idleFrames = 0
  /// The highest number of a stream that the server may have processed, from its GOAWAY frames.
  private(set) var lastProcessed = Int32.max
  /// Whether the server has sent GOAWAY and accepts no more streams. The first GOAWAY frame may still name
  /// the highest possible number, which leaves `lastProcessed` unchanged (RFC 9113 §6.8).
  private var isGoingAway = false
  /// Whether the server has sent GOAWAY with HTTP_1_1_REQUIRED.
  private(set) var requiresHTTP1 = false

  private struct ResponseState {
    var hasHead = false
    var hasEnded = false
    /// Whether the server has reset the stream.
    var wasReset = false
    var informational = 0
  }

  /// The field section that is being received; sections are never interleaved (RFC 9113 §4.3).
  private struct FieldBlock {
    var status: Int?
    var fields = HTTPFields()
    var count = 0
    var bytes = 0
    var isTrailer = false
  }

  /// - Throws: `HTTP2Failure` if there is not enough memory for the session.
  init(limits: HTTP2Limits = HTTP2Limits()) throws(HTTP2Failure) {
    self.limits = limits
    var callbacks: OpaquePointer?
    var option: OpaquePointer?
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(option)
    }
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&option) == 0 else {
      throw HTTP2Failure(.ended, "out of memory")
    }
    HTTP2Callbacks.set(callbacks)
    nghttp2_option_set_no_auto_window_update(option, 1)
    nghttp2_option_set_no_closed_streams(option, 1)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    guard nghttp2_session_client_new2(&session, callbacks, owner, option) == 0 else {
      throw HTTP2Failure(.ended, "out of memory")
    }
    submitSettings()
  }

  deinit { nghttp2_session_del(session) }

  /// Submits the client's settings, which disable server push.
  private func submitSettings() {
    let settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
        value: UInt32(limits.streamWindow)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(clamping: limits.fieldBytes)),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    nghttp2_session_set_local_window_size(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, limits.connectionWindow)
  }

  /// Submits a request with `fields`, pseudo-fields first.
  /// - Returns: The stream's number, or nil if the connection accepts no more streams.
  func open(_ fields: HTTP2Fields) -> Int32? {
    guard failure == nil, !isGoingAway else { return nil }
    let stream = fields.withValues { values in
      nghttp2_submit_request(session, nil, values.baseAddress, values.count, nil, nil)
    }
    guard stream > 0 else { return nil }
    responses[stream] = ResponseState()
    return stream
  }

  /// Reads frames from `bytes`, to which the offsets in the resulting events refer.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    input = bytes
    defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
    let count = nghttp2_session_mem_recv(
      session, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    if count < 0, failure == nil {
      failure = HTTP2Failure(.violation, Self.text(ofError: Int32(clamping: count)))
    }
    detectEnd()
  }

  /// Returns and removes the events since the last call.
  func drainEvents() -> [HTTP2Event] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }

  /// Sets `failure` when the session has ended. After a violation libnghttp2 reports the end only
  /// after its last frames have been written.
  private func detectEnd() {
    guard failure == nil, nghttp2_session_want_read(session) == 0 else { return }
    if let lastInvalid {
      failure = HTTP2Failure(.violation, "the server violated HTTP/2: \(lastInvalid)")
    } else if isGoingAway {
      failure = HTTP2Failure(
        requiresHTTP1 ? .http1Required : .ended, "the server ended the connection")
    } else {
      failure = HTTP2Failure(.violation, "the server violated HTTP/2")
    }
  }

  /// Appends the bytes to send, up to about `limit` bytes.
  /// - Returns: false if there are no (more) bytes to send.
  func output(into bytes: inout [UInt8], limit: Int = 65_536) -> Bool {
    let start = bytes.count
    while bytes.count - start < limit {
      var chunk: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &chunk)
      guard count > 0, let chunk else { break }
      bytes.append(contentsOf: UnsafeBufferPointer(start: chunk, count: count))
    }
    detectEnd()
    return bytes.count > start
  }

  /// Returns consumed bytes to the flow-control windows, so that the server may send as many again.
  func consumed(_ count: Int, of stream: Int32) {
    nghttp2_session_consume(session, stream, count)
  }

  /// Whether the request of an open stream waits in the session, because the server allows no more
  /// streams at the same time.
  func isUnsent(_ stream: Int32) -> Bool {
    responses[stream] != nil && nghttp2_session_find_stream(session, stream) == nil
  }

  /// Resets a stream whose response is no longer wanted.
  func cancel(_ stream: Int32) {
    guard responses.removeValue(forKey: stream) != nil else { return }
    reset(stream, NGHTTP2_CANCEL)
  }

  /// Queues a GOAWAY frame, which announces the end of the connection.
  func terminate() {
    let code = failure == nil ? NGHTTP2_NO_ERROR : NGHTTP2_PROTOCOL_ERROR
    nghttp2_session_terminate_session(session, code.rawValue)
  }

  private func reset(_ stream: Int32, _ code: nghttp2_error_code) {
    nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  static func text(ofError code: Int32) -> String {
    nghttp2_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

// MARK: - Callbacks of libnghttp2

extension HTTP2Session {
  /// Handles the header of a received frame. Returns false if the connection cannot continue; further frames
  /// are then ignored.
  func frameBegan(_ header: nghttp2_frame_hd) -> Bool {
    idleFrames += 1
    guard failure == nil else { return false }
    if idleFrames > limits.idleFrames {
      failure = HTTP2Failure(.limit, "\(limits.idleFrames) consecutive frames had no content")
    } else if UInt32(header.type) == NGHTTP2_PUSH_PROMISE.rawValue {
      // Server push is a violation, because the settings that disable it precede the first request.
      failure = HTTP2Failure(.violation, "the server pushed a response, although push is disabled")
    }
    return failure == nil
  }

  func fieldsBegan(_ stream: Int32) {
    section = FieldBlock()
    section.fields.reserveCapacity(fields: 12, bytes: 384)
    section.isTrailer = responses[stream]?.hasHead ?? false
  }

  /// Stores a field of the section that is being received. Returns false if the field exceeds a limit, so
  /// that libnghttp2 resets the stream.
  func field(
    _ stream: Int32, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Bool {
    // The size of a field is counted as in RFC 9113 §6.5.2.
    section.bytes += name.count + value.count + 32
    if section.isTrailer {
      return section.bytes <= limits.trailerBytes
        || refuse(stream, "the trailer section is larger than \(limits.trailerBytes) bytes")
    }
    if name.first == UInt8(ascii: ":") {
      section.status = Int(FieldText.decode(value.bytes))
      return true
    }
    guard section.bytes <= limits.fieldBytes else {
      return refuse(stream, "the header section is larger than \(limits.fieldBytes) bytes")
    }
    guard section.count < limits.fieldCount else {
      return refuse(stream, "more than \(limits.fieldCount) header lines")
    }
    section.count += 1
    section.fields.append(name: name.bytes, value: value.bytes)
    return true
  }

  private func refuse(_ stream: Int32, _ reason: String) -> Bool {
    violations[stream] = .violation(reason, isLimit: true)
    return false
  }

  /// Handles a complete and valid frame.
  func frame(_ frame: nghttp2_frame) {
    let stream = frame.hd.stream_id
    let hasEnd = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch UInt32(frame.hd.type) {
    case NGHTTP2_HEADERS.rawValue:
      fieldsEnded(stream)
      if hasEnd { streamEnded(stream) }
    case NGHTTP2_DATA.rawValue:
      if hasEnd { streamEnded(stream) }
    case NGHTTP2_SETTINGS.rawValue where frame.hd.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
      let streams = nghttp2_session_get_remote_settings(
        session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
      events.append(.capacity(min(limits.streams, Int(streams))))
    case NGHTTP2_RST_STREAM.rawValue: responses[stream]?.wasReset = true
    case NGHTTP2_GOAWAY.rawValue:
      lastProcessed = min(lastProcessed, frame.goaway.last_stream_id)
      isGoingAway = true
      if frame.goaway.error_code == NGHTTP2_HTTP_1_1_REQUIRED.rawValue { requiresHTTP1 = true }
      events.append(.goingAway)
      // libnghttp2 closes only the streams that it has opened. A request that waits because of the limit on
      // concurrent streams is closed here; otherwise it would wait until another stream ends.
      for stream in responses.keys.sorted() where stream > lastProcessed {
        closed(stream, error: NGHTTP2_REFUSED_STREAM.rawValue)
      }
    default: break
    }
  }

  private func fieldsEnded(_ stream: Int32) {
    guard let response = responses[stream], !section.isTrailer else { return }
    let status = section.status ?? 0
    if status < 100 {
      // libnghttp2 checks only that the status has three digits.
      violations[stream] = .violation(
        "the server violated HTTP/2: status \(status)", isLimit: false)
      reset(stream, NGHTTP2_PROTOCOL_ERROR)
    } else if status >= 200 {
      responses[stream]?.hasHead = true
      idleFrames = 0
      events.append(.head(stream: stream, status: status, section.fields))
    } else if response.informational >= limits.informational {
      violations[stream] = .violation(
        "more than \(limits.informational) interim responses", isLimit: true)
      reset(stream, NGHTTP2_ENHANCE_YOUR_CALM)
    } else {
      responses[stream]?.informational += 1
    }
  }

  private func streamEnded(_ stream: Int32) {
    guard responses[stream]?.hasHead == true else { return }
    responses[stream]?.hasEnded = true
    idleFrames = 0
    events.append(.end(stream: stream))
  }

  func data(_ stream: Int32, _ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, let origin = input.baseAddress else { return }
    let offset = start - origin
    // libnghttp2 passes a part of the input. If it ever passed a copy, this check would prevent a
    // wrong read.
    guard offset >= 0, offset + bytes.count <= input.count else {
      failure = HTTP2Failure(.ended, "body bytes outside of the input")
      return
    }
    guard responses[stream]?.hasHead == true else { return consumed(bytes.count, of: stream) }
    if !bytes.isEmpty { idleFrames = 0 }
    events.append(.data(stream: stream, offset..<(offset + bytes.count)))
  }

  /// Records an invalid frame; libnghttp2 resets the stream or ends the connection by itself.
  func invalid(_ stream: Int32, error code: Int32) {
    let text = Self.text(ofError: code)
    lastInvalid = text
    if stream != 0, responses[stream] != nil, violations[stream] == nil {
      violations[stream] = .violation("the server violated HTTP/2: \(text)", isLimit: false)
    }
  }

  func closed(_ stream: Int32, error code: UInt32) {
    let violation = violations.removeValue(forKey: stream)
    guard let response = responses.removeValue(forKey: stream) else { return }
    events.append(.closed(stream: stream, violation ?? closing(stream, response, code)))
  }

  private func closing(
    _ stream: Int32, _ response: ResponseState, _ code: UInt32
  ) -> HTTP2Closing {
    if response.hasEnded { return .ended }
    // libnghttp2 closes the streams after the last one of GOAWAY as if they had been refused by RST_STREAM.
    if stream > lastProcessed { return requiresHTTP1 ? .wantsHTTP1 : .unprocessed(.goAway) }
    switch code {
    case NGHTTP2_REFUSED_STREAM.rawValue: return .unprocessed(.reset)
    case NGHTTP2_HTTP_1_1_REQUIRED.rawValue: return .wantsHTTP1
    default:
      let name = nghttp2_http2_strerror(code).map { String(cString: $0) } ?? "\(code)"
      return response.wasReset
        ? .reset(name) : .violation("the server violated HTTP/2 (\(name))", isLimit: false)
    }
  }
}
