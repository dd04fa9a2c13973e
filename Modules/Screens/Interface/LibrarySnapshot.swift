public import Models
public import ProgressTree

/// The state of the library as of the engine's last snapshot.
public struct LibrarySnapshot: Sendable, Equatable {
  /// The sequence number of the last event that the snapshot includes; nil if it is unknown.
  public var seq: UInt64?
  public var isPaused = false
  /// The largest number of simultaneous transfers.
  public var concurrency = 16
  /// The number of active transfers.
  public var active = 0
  /// The number of waiting resources that the engine holds in memory.
  public var waiting = 0
  /// Sentences that name each host in backoff that resources wait for, with the reason and the remaining
  /// time.
  public var hosts: [String] = []
  /// Sentences that name each source that is being added.
  public var sources: [String] = []
  /// Sums over all records.
  public var counts = ResourceCounts()
  /// The number of resources that the user has cancelled; `counts.failed` includes them.
  public var cancelled = 0
  /// The progress of the whole library, without the lists of records and resources.
  public var progress = LibraryProgress()
  /// The progress of the visible records.
  public var records: [RecordID: RecordProgress] = [:]
  public var activities: [ResourceID: ResourceActivity] = [:]
  /// The dimensions of images that are being downloaded, as far as they are known.
  public var dimensions: [ResourceID: ImageDimensions] = [:]

  public init() {}

  /// Whether there is something to pause or to resume (DL6).
  public var isPausable: Bool { isPaused || active > 0 || waiting > 0 }

  /// Clears all activity after the engine has ended. Counts and fractions remain.
  mutating func stop() {
    active = 0
    waiting = 0
    hosts = []
    sources = []
    activities = [:]
    dimensions = [:]
    progress.activity = ActivityCounts()
    progress.bytesPerSecond = 0
    progress.secondsLeft = nil
    for id in records.keys { records[id]?.activity = ActivityCounts() }
  }

  /// Whether a further snapshot may differ although the engine reports no event.
  public var isMoving: Bool {
    let activity = progress.activity
    return active > 0 || !sources.isEmpty
      || activity.downloading + activity.unzipping + activity.rendering > 0
  }

  /// Whether snapshots change with time alone, because a host is in backoff.
  public var isWaiting: Bool { !hosts.isEmpty }
}

/// The process that downloads for the library, which the title line of the screen names.
public enum LibraryOwner: Sendable, Equatable {
  /// The downloads run in this program; quitting ends them.
  case program
  /// The downloads run in another process, identified by the name of its program, such as `imgdld`; they
  /// continue after this program quits.
  case other(String)
  /// No process downloads: the library can only be viewed.
  case noProcess
}
