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
    /// Start with a snapshot after a gap: no engine can have assigned the client's last event id.
    case unknown
  }

  var start = Start.now
  var wantsEvents = true
  var progress = ProgressScope.none
  /// The viewer whose visible ranges are cleared when its last stream ends; nil without a viewer.
  var viewer: ViewerID?

  static let parameters: Set<String> = ["progress", "records", "viewer", "after"]

  /// Parses `GET /v1/events`. After an interruption, the last event id is in the field `Last-Event-ID`, or in
  /// `?after=` for a new `EventSource` of a browser, which cannot set the field. `?progress=1` adds progress,
  /// which `&records=1,2` or `&viewer=NUMBER` restricts to some records.
  init(_ request: ControlRequest) throws(ControlError) {
    progress = try ProgressScope(request.target)
    if let last = request.fields["Last-Event-ID"] ?? request.target["after"] {
      start = EventID(last).map { .after($0) } ?? .unknown
    }
  }

  /// Creates the query of `GET /v1/viewers/{viewer}`: a stream without events, during which the viewer is
  /// registered.
  init(presenceOf viewer: ViewerID) {
    self.viewer = viewer
    wantsEvents = false
  }
}

extension ProgressScope {
  /// Returns the progress with only the requested records and resources; the totals remain those of the whole
  /// library.
  func narrow(_ progress: LibraryProgress, viewedRecords: ViewedRecords) -> LibraryProgress {
    let wanted: Set<RecordID>
    switch self {
    case .none: wanted = []
    case .everything: return progress
    case .records(let records): wanted = records
    case .viewer(let viewer): wanted = viewedRecords.records(of: viewer)
    }
    var progress = progress
    progress.records.removeAll { !wanted.contains($0.id) }
    progress.active.removeAll { !wanted.contains($0.record) }
    return progress
  }
}
