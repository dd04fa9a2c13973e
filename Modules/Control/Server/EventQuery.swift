import HTTP1
import LibraryAPI
import Models
import ProgressTree

/// What a reader wants of an event stream.
struct EventQuery: Sendable, Equatable {
  enum Start: Sendable, Equatable {
    /// With a snapshot.
    case now
    /// After this event.
    case after(EventID)
    /// The reader knows an event that no engine of ours can have named.
    case unknown
  }

  var start = Start.now
  var wantsEvents = true
  var progress = ProgressScope.none
  /// Looks away when the stream ends.
  var viewer: ViewerID?

  static let parameters: Set<String> = ["progress", "records", "viewer"]

  /// `GET /v1/events`, with `Last-Event-ID` after an interruption, and `?progress=1`; of the latter only
  /// a part with `&records=1,2` or `&viewer=` its number.
  init(_ request: ControlRequest) throws(ControlError) {
    progress = try ProgressScope(request.target)
    if let last = request.fields["Last-Event-ID"] {
      start = EventID(last).map { .after($0) } ?? .unknown
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

  /// Records that one request may name.
  static let recordLimit = 100

  /// Every parameter is checked, also where another one makes it superfluous.
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

  /// Leaves out what is not wanted; the sums are those of the library.
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

/// Writes server-sent events (HTML Standard §9.2).
enum ServerSentEvent {
  /// Keeps the connection alive and finds readers that are gone.
  static let heartbeat = Array(":\n\n".utf8)

  /// - Parameters:
  ///   - name: nil for engine events, which browsers call `message`.
  ///   - id: of the last event that the reader knows once it has read this one.
  ///   - data: without line feeds, as our JSON is.
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
