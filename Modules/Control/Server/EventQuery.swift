import Engine
import HTTP1
import Models

/// What a reader wants of an event stream.
struct EventQuery: Sendable, Equatable {
  enum Start: Sendable, Equatable {
    /// With a snapshot.
    case now
    /// After this event of this run of the engine, if the reader knows which run.
    case after(UInt64, engine: String?)
    /// The reader knows something, but we cannot tell what.
    case unknown
  }

  var start = Start.now
  var wantsEvents = true
  var wantsProgress = false
  /// Looks away when the stream ends.
  var viewer: ViewerID?

  /// `GET /v1/events`, with `Last-Event-ID` after an interruption, `?engine=` as told in a snapshot,
  /// `?progress=1`.
  init(_ request: ControlRequest) {
    wantsProgress = request.target["progress"] == "1"
    if let last = request.fields["Last-Event-ID"] {
      start = UInt64(last).map { .after($0, engine: request.target["engine"]) } ?? .unknown
    }
  }

  /// `GET /v1/viewers/{viewer}`: says nothing; the viewer is there as long as it is open.
  init(presenceOf viewer: ViewerID) {
    self.viewer = viewer
    wantsEvents = false
  }
}

/// Writes server-sent events (HTML Standard §9.2).
enum ServerSentEvent {
  /// Keeps the connection alive and finds readers that are gone.
  static let heartbeat = Array(":\n\n".utf8)

  /// - Parameters:
  ///   - name: nil for engine events, which browsers call `message`.
  ///   - data: without line feeds, as our JSON is.
  static func bytes(_ name: String?, id: UInt64? = nil, data: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(data.count + 48)
    if let id { output += "id: \(id)\n".utf8 }
    if let name { output += "event: \(name)\n".utf8 }
    output += "data: ".utf8
    output += data
    output += "\n\n".utf8
    return output
  }
}
