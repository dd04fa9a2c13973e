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

  static let parameters: Set<String> = ["progress", "records", "viewer", "after"]

  /// `GET /v1/events`, with `Last-Event-ID` or `?after=` after an interruption: a new `EventSource` of a
  /// browser cannot set the field. `?progress=1` adds progress, which `&records=1,2` or `&viewer=NUMBER`
  /// restricts to some records.
  init(_ request: ControlRequest) throws(ControlError) {
    progress = try ProgressScope(request.target)
    if let last = request.fields["Last-Event-ID"] ?? request.target["after"] {
      start = EventID(last).map { .after($0) } ?? .unknown
    }
  }

  /// `GET /v1/viewers/{viewer}`: a stream without events; the viewer is registered as long as it is open.
  init(presenceOf viewer: ViewerID) {
    self.viewer = viewer
    wantsEvents = false
  }
}

extension ProgressScope {
  /// Returns the progress without the records and resources that were not requested; the totals stay those of
  /// the library.
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
