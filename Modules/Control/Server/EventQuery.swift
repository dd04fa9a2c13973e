import Engine
import HTTP1
import Models
import ProgressTree

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
  var progress = ProgressScope.none
  /// Looks away when the stream ends.
  var viewer: ViewerID?

  /// `GET /v1/events`, with `Last-Event-ID` after an interruption, `?engine=` as told in a snapshot,
  /// `?progress=1`; of the latter only a part with `&records=1,2` or `&viewer=` its number.
  init(_ request: ControlRequest) throws(ControlError) {
    progress = try ProgressScope(request.target)
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

/// Of what a reader wants to know how far it is.
enum ProgressScope: Sendable, Hashable {
  case none
  case everything
  case records(Set<RecordID>)
  /// The records that this viewer looks at.
  case sight(of: ViewerID)

  private static let recordLimit = 1_000

  init(_ target: RequestTarget) throws(ControlError) {
    switch target["progress"] {
    case nil, "0"?:
      self = .none
      return
    case "1"?: break
    default: throw ControlError(.badRequest, "\"progress\" is neither 0 nor 1")
    }
    if let text = target["records"] {
      let numbers = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
      let records = numbers.compactMap { Int64($0) }
      guard records.count == numbers.count, records.count <= Self.recordLimit else {
        throw ControlError(
          .badRequest, "\"records\" is not a list of at most \(Self.recordLimit) numbers")
      }
      self = .records(Set(records.map { RecordID($0) }))
    } else if let text = target["viewer"] {
      guard let number = UInt64(text) else {
        throw ControlError(.badRequest, "\"viewer\" is not a number")
      }
      self = .sight(of: ViewerID(number))
    } else {
      self = .everything
    }
  }

  /// Leaves out what is not wanted; the sums are those of the library.
  func narrow(_ progress: LibraryProgress, sights: Sights) -> LibraryProgress {
    let wanted: Set<RecordID>
    switch self {
    case .none: wanted = []
    case .everything: return progress
    case .records(let records): wanted = records
    case .sight(let viewer): wanted = sights.records(of: viewer)
    }
    var progress = progress
    progress.records.removeAll { !wanted.contains($0.id) }
    progress.active.removeAll { !wanted.contains($0.record) }
    return progress
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
