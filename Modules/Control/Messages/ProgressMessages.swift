import Models
import ProgressTree

/// The progress of the library; also the data of the event `progress`.
struct ProgressMessage: Codable, Equatable {
  var total: Int
  var finished: Int
  var failed: Int
  var activity: ActivityMessage
  /// The completed fraction, 0...1.
  var fraction: Double
  var bytes: Int64
  var bytesPerSecond: Double
  var secondsLeft: Double?
  var records: [RecordProgressMessage]
  var active: [ActiveResourceMessage]

  init(_ progress: LibraryProgress) {
    total = progress.total
    finished = progress.finished
    failed = progress.failed
    activity = ActivityMessage(progress.activity)
    fraction = finite(progress.fraction)
    bytes = progress.bytes
    bytesPerSecond = finite(progress.bytesPerSecond)
    secondsLeft = progress.secondsLeft.map(finite)
    records = progress.records.map { RecordProgressMessage($0) }
    active = progress.active.map { ActiveResourceMessage($0) }
  }

  func progress() throws(ControlError) -> LibraryProgress {
    var progress = LibraryProgress()
    progress.total = total
    progress.finished = finished
    progress.failed = failed
    progress.activity = activity.counts
    progress.fraction = fraction
    progress.bytes = bytes
    progress.bytesPerSecond = bytesPerSecond
    progress.secondsLeft = secondsLeft
    progress.records = records.map(\.progress)
    progress.active = try active.map { (message) throws(ControlError) in try message.resource() }
    return progress
  }
}

/// The number of resources in each activity.
struct ActivityMessage: Codable, Equatable {
  var downloading: Int
  var unzipping: Int
  var rendering: Int

  init(_ counts: ActivityCounts) {
    downloading = counts.downloading
    unzipping = counts.unzipping
    rendering = counts.rendering
  }

  var counts: ActivityCounts {
    ActivityCounts(downloading: downloading, unzipping: unzipping, rendering: rendering)
  }
}

struct RecordProgressMessage: Codable, Equatable {
  var id: Int64
  var title: String
  var total: Int
  var finished: Int
  var failed: Int
  var activity: ActivityMessage
  var fraction: Double
  var bytes: Int64

  init(_ progress: RecordProgress) {
    id = progress.id.rawValue
    title = progress.title
    total = progress.total
    finished = progress.finished
    failed = progress.failed
    activity = ActivityMessage(progress.activity)
    fraction = finite(progress.fraction)
    bytes = progress.bytes
  }

  var progress: RecordProgress {
    RecordProgress(
      id: RecordID(id), title: title, total: total, finished: finished, failed: failed,
      activity: activity.counts, fraction: fraction, bytes: bytes)
  }
}

struct ActiveResourceMessage: Codable, Equatable {
  var id: Int64
  var record: Int64
  var label: String
  /// The current stage: `downloading`, `unzipping` or `rendering`.
  var stage: String
  /// The number of bytes received, while downloading; `expected` is the total size, if known.
  var received: Int64?
  var expected: Int64?
  /// The width and height of the image in pixels, as soon as its first bytes state them.
  var width: Int?
  var height: Int?

  init(_ resource: ActiveResource) {
    width = resource.dimensions?.width
    height = resource.dimensions?.height
    id = resource.id.rawValue
    record = resource.record.rawValue
    label = resource.label
    switch resource.activity {
    case .downloading(let received, let expected):
      stage = "downloading"
      self.received = received
      self.expected = expected
    case .unzipping: stage = "unzipping"
    case .rendering: stage = "rendering"
    }
  }

  func resource() throws(ControlError) -> ActiveResource {
    let activity: ResourceActivity
    switch stage {
    case "downloading": activity = .downloading(received: received ?? 0, expected: expected)
    case "unzipping": activity = .unzipping
    case "rendering": activity = .rendering
    default: throw ControlError(.badBody, "\"stage\" is not known")
    }
    return ActiveResource(
      id: ResourceID(id), record: RecordID(record), label: label, activity: activity,
      dimensions: ImageDimensions(width: width ?? 0, height: height ?? 0))
  }
}
