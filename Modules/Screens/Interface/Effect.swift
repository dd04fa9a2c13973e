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
