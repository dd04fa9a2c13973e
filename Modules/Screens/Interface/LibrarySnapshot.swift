public import Models
public import ProgressTree

/// What is known of the library at one moment, as the last snapshot said it.
public struct LibrarySnapshot: Sendable, Equatable {
  /// The number of the last event that the snapshot knows; nil means it does not tell.
  public var seq: UInt64?
  public var isPaused = false
  /// Transfers at the same time.
  public var concurrency = 16
  /// Active transfers.
  public var active = 0
  /// Of the resources that wait, those that are in memory.
  public var waiting = 0
  /// Why hosts that something waits for are left alone, and for how long, as sentences.
  public var hosts: [String] = []
  /// Sources that are being added, as sentences.
  public var sources: [String] = []
  /// Sums over all records.
  public var counts = ResourceCounts()
  /// How many of those that count as failed the user has cancelled.
  public var cancelled = 0
  /// Of the whole library; its lists are empty here.
  public var progress = LibraryProgress()
  /// Of the visible records.
  public var records: [RecordID: RecordProgress] = [:]
  public var activities: [ResourceID: ResourceActivity] = [:]

  public init() {}

  /// Whether there is something to pause or to resume (DL6).
  public var isPausable: Bool { isPaused || active > 0 || waiting > 0 }

  /// Nothing moves any more: the engine has gone. Counts and fractions stay.
  mutating func stop() {
    active = 0
    waiting = 0
    hosts = []
    sources = []
    activities = [:]
    progress.activity = ActivityCounts()
    progress.bytesPerSecond = 0
    progress.secondsLeft = nil
    for id in records.keys { records[id]?.activity = ActivityCounts() }
  }

  /// Whether a further snapshot may say something else although no event is told.
  public var isMoving: Bool {
    let activity = progress.activity
    return active > 0 || !sources.isEmpty
      || activity.downloading + activity.unzipping + activity.rendering > 0
  }

  /// Whether time alone changes what a snapshot says: hosts are left alone for a while.
  public var isWaiting: Bool { !hosts.isEmpty }
}

/// Who downloads, for the title line and for quitting.
public enum LibraryOwner: Sendable, Equatable {
  /// This program: quitting ends the downloads.
  case program
  /// `imgdld`, or another program, by its name: downloads continue without us.
  case other(String)
  /// The library can be looked at only.
  case nobody
}
