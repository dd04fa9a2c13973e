import HTTP1
import LibraryAPI
import Models
import ProgressTree

/// A client's request for an event stream.
struct EventQuery: Sendable, Equatable {
  enum Start: Sendable, Equatable {
    /// Start with a snapshot.
    case now
    /// Continue after this event.
    case after(EventID)
    /// The client's last event id is not one that an engine can have assigned.
    case unknown
  }

  var start = Start.now
  var wantsEvents = true
  var progress = ProgressScope.none
  /// The viewer that the server forgets when its last stream ends.
  var viewer: ViewerID?

  static let parameters: Set<String> = ["progress", "records", "viewer"]

  /// `GET /v1/events`, with `Last-Event-ID` after an interruption. `?progress=1` adds progress, which
  /// `&records=1,2` or `&viewer=NUMBER` restricts to some records.
  init(_ request: ControlRequest) throws(ControlError) {
    progress = try ProgressScope(request.target)
    if let last = request.fields["Last-Event-ID"] {
      start = EventID(last).map { .after($0) } ?? .unknown
    }
  }

  /// `GET /v1/viewers/{viewer}`: a stream without events; the viewer is registered as long as it is open.
  init(presenceOf viewer: ViewerID) {
    self.viewer = viewer
    wantsEvents = false
  }
}

/// The part of the progress that a reader requests.
enum ProgressScope: Sendable, Hashable {
  case none
  case everything
  case records(Set<RecordID>)
  /// The records that this viewer looks at.
  case sight(of: ViewerID)

  /// The maximum number of records in one request.
  static let recordLimit = 100

  /// Parses the query. Every parameter is validated, even one that another makes redundant.
  init(_ target: RequestTarget) throws(ControlError) {
    let records = try target["records"].map(Self.records)
    let viewer = try target["viewer"].map(Self.viewer)
    guard records == nil || viewer == nil else {
      throw ControlError(.badRequest, "\"records\" and \"viewer\" exclude each other")
    }
    switch target["progress"] {
    case nil, "0"?: self = .none
    case "1"?: self = records.map { .records($0) } ?? viewer.map { .sight(of: $0) } ?? .everything
    default: throw ControlError(.badRequest, "\"progress\" is neither 0 nor 1")
    }
  }

  private static func records(_ text: String) throws(ControlError) -> Set<RecordID> {
    let numbers = text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
    let records = numbers.compactMap { Int64(oneSpelling: $0) }
    guard records.count == numbers.count, records.count <= recordLimit,
      records.allSatisfy({ $0 > 0 })
    else {
      throw ControlError(
        .badRequest,
        "\"records\" is not a list of at most \(recordLimit) numbers of records, as in 1,2")
    }
    return Set(records.map { RecordID($0) })
  }

  private static func viewer(_ text: String) throws(ControlError) -> ViewerID {
    guard let number = UInt64(oneSpelling: text) else {
      throw ControlError(.badRequest, "\"viewer\" is not the number of a viewer")
    }
    return ViewerID(number)
  }

  /// Returns the progress without the records and resources that were not requested; the totals stay those of
  /// the library.
  func narrow(_ progress: LibraryProgress, sights: ViewedRecords) -> LibraryProgress {
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

/// Encodes server-sent events (HTML Standard §9.2).
enum ServerSentEvent {
  /// A comment that keeps the connection alive and detects readers that are gone.
  static let heartbeat = Array(":\n\n".utf8)

  /// - Parameters:
  ///   - name: The type of the event; nil for engine events, whose default type is `message`.
  ///   - id: The id of the last event that a reader of this one has received.
  ///   - data: The data, which must not contain line feeds.
  static func bytes(_ name: String?, id: EventID? = nil, data: [UInt8]) -> [UInt8] {
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
