public import Models

/// What the program has to do next: everything that is not pure.
public enum Effect: Sendable, Equatable {
  /// Rows of the list of records; with `ids`, those records in that order.
  case loadRecords(Range<Int>, ids: [RecordID]?)
  /// All records that fit, in order.
  case arrange(RecordArrangement)
  case loadResources(RecordID, Range<Int>, ids: [ResourceID]?)
  /// The order of the images of a record in `Image Details`.
  case arrangeResources(RecordID, DetailOrder)
  /// The pages of one resource, for the viewer's information.
  case loadPages(ResourceID)
  /// All slices of a series, in order.
  case loadSlices(RecordID)
  case decode(PictureOrder)
  /// The password may be another one: answered by `Input.unlockAnswered`.
  case unlock(UnlockRequest)
  /// The viewer looks at that part of a record (LZ2); it looked elsewhere before.
  case look(RecordID, Range<Int>)
  case lookAway(RecordID)
  case perform(Verb)
  /// Which page of a record was looked at last.
  case remember(RecordID, Int)
  /// Where a record was left; answered by `Input.remembered`.
  case recall(RecordID)
  /// A larger window had more memory than this one needs: what is free goes back to the system.
  case giveMemoryBack
  case redraw
  case suspend
  case quit
}

/// A change of the library.
public enum Verb: Sendable, Equatable {
  /// An engine is started, where none works for the library any more.
  case start
  case add(String, isLazy: Bool)
  case refresh(RecordID)
  case loadMore(RecordID)
  case pause(RecordID?)
  case resume(RecordID?)
  case retry(RecordID)
  case reload(RecordID)
  case remove(RecordID)
  case reset
  case setConcurrency(Int)
}

/// Which records are shown, in which order.
public struct RecordArrangement: Sendable, Hashable {
  public enum Order: String, Sendable, CaseIterable {
    case added, title, size, state

    /// What it is called on the screen.
    var text: String {
      switch self {
      case .added: "time of addition"
      case .title: "title"
      case .size: "size"
      case .state: "what is left to do"
      }
    }
  }

  /// Part of the title, whatever the case; empty: all.
  public var filter = ""
  public var order = Order.added
  public var isReversed = false

  public init() {}

  /// Whether the store's own order will do.
  public var isNatural: Bool { filter.isEmpty && order == .added && !isReversed }
}

/// The order of `Image Details`.
public struct DetailOrder: Sendable, Hashable {
  public var column = DetailColumn.number
  public var isReversed = false

  public init() {}

  public var isNatural: Bool { column == .number && !isReversed }
}

public enum DetailColumn: String, Sendable, CaseIterable {
  case number, name, size, time, rate, host, wait, transfer
}
