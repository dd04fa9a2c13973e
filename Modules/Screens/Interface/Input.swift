public import Models
public import Terminal

/// Everything that can happen to the program.
public enum Input: Sendable {
  /// A key, the mouse, a paste, another size.
  case terminal(InputEvent)
  /// Time has passed: `State.wake` was reached.
  case tick
  case facts(LibrarySnapshot)
  case owner(LibraryOwner)
  case changed(LibraryChange)
  /// Answer to `Effect.loadRecords`; `count` is that of the whole list.
  case records(Range<Int>, [RecordItem], count: Int, isArranged: Bool)
  case arranged(RecordArrangement, [RecordID])
  case resources(RecordID, Range<Int>, [Resource], count: Int)
  case resourcesArranged(RecordID, DetailOrder, [ResourceID])
  case pages(ResourceID, [Page])
  case slices(RecordID, [Slice])
  case picture(PictureKey, PictureAnswer)
  case remembered(RecordID, Int)
  /// Answer to `Effect.unlock`.
  case unlockAnswered(UnlockRequest, UnlockAnswer)
  /// What a verb came to, for a line at the bottom.
  case told(String)
  case failed(String)
  /// The engine of the other process is gone.
  case lost(String)
}

/// What an event or several of them have changed.
public struct LibraryChange: Sendable, Equatable {
  /// Records of which rows have changed.
  public var records: Set<RecordID> = []
  /// Records came or went, or changed their order.
  public var isListChanged = false
  public var removed: Set<RecordID> = []
  public var wasReset = false
  /// Nobody knows what: events were lost, or another engine has begun.
  public var isEverything = false
  /// The last transition of each resource: the last snapshot may not know it.
  public var transitions: [ResourceID: Transition] = [:]

  public init() {}

  public var isEmpty: Bool { self == LibraryChange() }

  /// Whether rows of that record may have changed.
  func concerns(_ record: RecordID) -> Bool { isEverything || records.contains(record) }
}

/// What became of a picture that was requested.
public enum PictureAnswer: Sendable {
  case picture(Picture)
  /// Why there is none.
  case problem(String)
  /// The same where it takes a password that was not given, or another one.
  case encrypted(String)
  /// It was made, and is not kept any more; the engine makes it again.
  case evicted
}
