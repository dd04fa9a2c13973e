public import Models
public import Terminal

/// An event that the program reports to the screens.
public enum Input: Sendable {
  /// A key, a mouse event, a paste, or a new window size.
  case terminal(InputEvent)
  /// The time `State.wake` has been reached.
  case tick
  case snapshot(LibrarySnapshot)
  case owner(LibraryOwner)
  case changed(LibraryChange)
  /// The response to `Effect.loadRecords`; `count` is the length of the whole list.
  case records(Range<Int>, [RecordItem], count: Int, isArranged: Bool)
  case recordsSorted(RecordArrangement, [RecordID])
  case resources(RecordID, Range<Int>, [Resource], count: Int)
  case resourcesSorted(RecordID, DetailOrder, [ResourceID])
  case pages(ResourceID, [Page])
  case slices(RecordID, [Slice])
  case image(ImageKey, ImageAnswer)
  /// Blurred images that are shown in place of the images of resources until those are decoded.
  case placeholders([ResourceID: Image])
  case remembered(RecordID, Int)
  /// The response to `Effect.unlock`.
  case unlockAnswered(UnlockRequest, UnlockAnswer)
  /// The result of a verb, for the message line.
  case notice(String)
  case failed(String)
  /// A source could not be added, for the given reason.
  case addFailed(source: String, reason: String)
  /// The engine of another process has ended, for the given reason.
  case lost(String)
}

/// The changes that one or several events of the engine describe.
public struct LibraryChange: Sendable, Equatable {
  /// The records whose rows have changed.
  public var records: Set<RecordID> = []
  /// Whether records were added, removed or reordered.
  public var isListChanged = false
  public var removed: Set<RecordID> = []
  public var wasReset = false
  /// Whether anything may have changed, because events were lost or another engine has started.
  public var isEverything = false
  /// The last transition of each resource, which the last snapshot may not include yet.
  public var transitions: [ResourceID: Transition] = [:]

  public init() {}

  public var isEmpty: Bool { self == LibraryChange() }

  /// Whether rows of this record may have changed.
  func concerns(_ record: RecordID) -> Bool { isEverything || records.contains(record) }
}

/// The result of a request for an image.
public enum ImageAnswer: Sendable {
  case image(Image)
  /// The reason why there is no image.
  case problem(String)
  /// The reason why there is no image: the file needs a password, which is missing or wrong.
  case encrypted(String)
  /// The engine has evicted the image from its cache, and makes it again.
  case evicted
}
