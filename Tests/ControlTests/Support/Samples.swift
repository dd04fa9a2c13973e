import LibraryAPI
import Models
import ProgressTree
import Testing

/// Values with something in every field.
enum Samples {
  static func url(_ text: String = "https://example.org/a%20b.jpg?x=1&y=%C3%A9") throws -> HTTPURL {
    try HTTPURL(text)
  }

  static func resource() throws -> CachedResource {
    var timings = TransferTimings()
    timings.queue = 0.25
    timings.dns = 1
    timings.firstByte = 12.125
    timings.lastByte = 1e9
    timings.receivedBytes = 1 << 40
    let digest = try #require(Digest(hexadecimal: String(repeating: "0f", count: 32)))
    return CachedResource(
      path: "/library/a \"b\"/0001-\u{e9}\u{1f600}.jpg",
      file: StoredFile(
        name: "0001-\u{e9}\u{1f600}.jpg", byteCount: 9_007_199_254_740_993, digest: digest,
        format: .jpegXL,
        validator: Validator(
          entityTag: EntityTag("W/\"a\\b\u{e9}\""), lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"),
        mediaType: "image/jxl", timings: timings,
        answer: StoredFile.Answer(
          request: RequestKey(high: .max, low: 1), asOf: ResourceID(.max), freshUntil: -1)),
      isFromLibrary: true)
  }

  static func status() -> LibraryStatus {
    var progress = LibraryProgress()
    progress.total = 10
    progress.finished = 3
    progress.failed = 1
    progress.activity = ActivityCounts(downloading: 2, unzipping: 1, rendering: 1)
    progress.fraction = 0.1
    progress.bytes = .max
    progress.bytesPerSecond = 1_234.5
    progress.secondsLeft = 3.25
    progress.records = [
      RecordProgress(
        id: RecordID(4), title: "a \"quoted\" title\n", total: 10, finished: 3, failed: 1,
        activity: progress.activity, fraction: 0.3, bytes: 7)
    ]
    progress.active = [
      ActiveResource(
        id: ResourceID(1), record: RecordID(4), label: "a.jpg",
        activity: .downloading(received: 5, expected: 10),
        dimensions: ImageDimensions(width: 640, height: 480)),
      ActiveResource(
        id: ResourceID(2), record: RecordID(4), label: "b.jpg",
        activity: .downloading(received: 5, expected: nil)),
      ActiveResource(
        id: ResourceID(3), record: RecordID(4), label: "c.zip", activity: .unzipping),
      ActiveResource(
        id: ResourceID(4), record: RecordID(4), label: "d.pdf", activity: .rendering),
    ]
    return LibraryStatus(
      isPaused: true, concurrency: 32, perHost: 6, active: 4, waiting: 1_000,
      hosts: [
        HostStatus(
          host: "https://example.org", active: 2, limit: 3, waits: 1.5,
          reason: "HTTP 429 Too Many Requests"),
        HostStatus(host: "http://[::1]:8080", active: 0, limit: 1),
      ], progress: progress, seq: 1 << 40,
      turns: TurnStatus(count: 3, median: 0.064, percentile99: 2.048, longest: 1.5),
      rateLimit: 2 << 20)
  }

  /// One of each kind.
  static let eventKinds: [LibraryEvent.Kind] = [
    .sourceLoading(location: "https://example.org/list.json", entries: 4),
    .sourceReading(location: "https://example.org/list.json", bytes: 1 << 40, total: nil),
    .sourceReading(location: "https://example.org/list.json", bytes: 3, total: 1 << 50),
    .problem("line 3: \u{1b}[0m is no URL"),
    .recordAdded(RecordID(1), title: "\u{1f600} \\ \" \u{2028} title"),
    .entriesAdded(RecordID(1), count: 20),
    .recordRemoved(RecordID(.max)),
    .started(ResourceID(5), record: RecordID(1)),
    .retrying(ResourceID(5), record: RecordID(1), reason: "HTTP 503", after: 2.5),
    .finished(ResourceID(5), record: RecordID(1)),
    .failed(ResourceID(5), record: RecordID(1), url: "http://a/b", reason: "HTTP 404"),
    .hostWaits(host: "http://a", seconds: 30, reason: "HTTP 429"),
    .paused(nil), .paused(RecordID(2)), .resumed(nil), .resumed(RecordID(2)),
    .cancelled(RecordID(2), count: 9), .reloading(RecordID(2), count: 0),
    .retried(nil, count: 4), .retried(RecordID(3), count: 5),
    .priorityChanged(RecordID(3), .low), .priorityChanged(RecordID(3), .high),
    .concurrencyChanged(16), .perHostChanged(3), .rateLimitChanged(2 << 20), .wasReset,
    .stopped(LibraryError(.diskFull, "cannot write to /x: No space left on device")),
  ]
}
