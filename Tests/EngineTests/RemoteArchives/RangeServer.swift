import Models
import Synchronization
import Transport

/// A transport whose only file is served by ranges, with the faults that servers have.
final class RangeServer: Transport {
  struct Version: Sendable {
    var bytes: [UInt8]
    var tag: String? = "\"v1\""
    var date: String?
  }

  struct Behaviour: Sendable {
    var ignoresRanges = false
    var ignoresConditions = false
    var hasNoLastBytes = false
    /// The URL to which the first request is redirected, without its range.
    var redirect: String?
    /// Whether that redirect leads over another origin, even if its target is of the first one.
    var leavesOrigin = false
    /// Returns the URL to which the request with this index is redirected with its range; nil for no redirect.
    var origin: @Sendable (_ request: Int) -> String? = { _ in nil }
    /// The request with this index fails after so many bytes of its body.
    var cut: (request: Int, after: Int)?
    /// The status of the request with this index.
    var status: (request: Int, status: Int)?
  }

  private struct State {
    var requests: [TransportRequest] = []
    var sent = 0
  }

  private let state = Mutex(State())
  private let behaviour: Behaviour
  private let version: @Sendable (_ request: Int) -> Version

  /// - Parameter version: Returns the version of the file at the time of a request.
  init(
    _ behaviour: Behaviour = Behaviour(),
    version: @escaping @Sendable (_ request: Int) -> Version
  ) {
    self.behaviour = behaviour
    self.version = version
  }

  var requests: [TransportRequest] { state.withLock { $0.requests } }
  /// The number of body bytes that were accepted.
  var sent: Int { state.withLock { $0.sent } }
  var ranges: [String] { requests.map { $0.fields["Range"] ?? "" } }

  func shutdown() async {}

  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    let index = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    let (head, body) = answer(request, index)
    let timings = TransferTimings()
    do throws(SinkError) {
      guard try sink.begin(head) == .accept else {
        return TransportResponse(head: head, body: .refused, timings: timings)
      }
      let isCut = behaviour.cut?.request == index
      let part = isCut ? Array(body.prefix(behaviour.cut?.after ?? 0)) : body
      state.withLock { $0.sent += part.count }
      try sink.receive(part.span.bytes)
      if isCut {
        throw SinkError("cut")
      }
    } catch {
      throw TransportError(
        behaviour.cut?.request == index ? .connectionLost : .sink, url: request.url,
        detail: error.description)
    }
    return TransportResponse(
      head: head, body: .complete(byteCount: Int64(body.count), isLengthKnown: true),
      timings: timings)
  }

  private func answer(_ request: TransportRequest, _ index: Int) -> (ResponseHead, [UInt8]) {
    let version = version(index)
    var fields = HTTPFields()
    if let tag = version.tag { fields.append("ETag", tag) }
    if let date = version.date { fields.append("Last-Modified", date) }
    var url = request.url
    var hasLeft = false
    var part: Range<Int>?
    if let target = behaviour.redirect, index == 0, let other = try? HTTPURL(target) {
      url = other
      hasLeft = behaviour.leavesOrigin || other.origin != request.url.origin
    } else {
      if let other = behaviour.origin(index).flatMap({ try? HTTPURL($0) }) {
        url = other
        hasLeft = other.origin != request.url.origin
      }
      part = self.part(request, version)
    }
    if behaviour.status?.request == index {
      return (ResponseHead(status: behaviour.status?.status ?? 500, url: url, fields: fields), [])
    }
    guard let part else {
      fields.append("Content-Length", "\(version.bytes.count)")
      return (
        ResponseHead(status: 200, url: url, fields: fields, hasLeftOrigin: hasLeft), version.bytes
      )
    }
    if part.isEmpty {
      fields.append("Content-Range", "bytes */\(version.bytes.count)")
      return (ResponseHead(status: 416, url: url, fields: fields), [])
    }
    fields.append(
      "Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(version.bytes.count)")
    let head = ResponseHead(status: 206, url: url, fields: fields, hasLeftOrigin: hasLeft)
    return (head, Array(version.bytes[part]))
  }

  /// The requested part; empty if there is none, nil for the whole file.
  private func part(_ request: TransportRequest, _ version: Version) -> Range<Int>? {
    guard !behaviour.ignoresRanges, let text = request.fields["Range"] else { return nil }
    if !behaviour.ignoresConditions, let condition = request.fields["If-Range"],
      condition != version.tag ?? version.date
    {
      return nil
    }
    let size = version.bytes.count
    let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard let last = Int(bounds[1]) else { return nil }
    guard let first = Int(bounds[0]) else {
      return behaviour.hasNoLastBytes ? 0..<0 : max(0, size - last)..<size
    }
    return first < size ? first..<min(size, last + 1) : 0..<0
  }
}
