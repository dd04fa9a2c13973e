public import Models

/// Work with side effects that the program has to perform for the screens.
public enum Effect: Sendable, Equatable {
  /// Loads a range of rows of the list of records. In a sorted list, `ids` names the records of the range.
  case loadRecords(Range<Int>, ids: [RecordID]?)
  /// Determines the records that match the filter, in the requested order.
  case sortRecords(RecordArrangement)
  case loadResources(RecordID, Range<Int>, ids: [ResourceID]?)
  /// Determines the order of a record's images in `Image Details`.
  case sortResources(RecordID, DetailOrder)
  /// Loads the pages of one resource, for the viewer's information box.
  case loadPages(ResourceID)
  /// Loads the slices of a record, in order and at most `Slice.limit`.
  case loadSlices(RecordID)
  case decode(ImageOrder)
  /// Tries a password, which may be wrong. The response is `Input.unlockAnswered`.
  case unlock(UnlockRequest)
  /// Reports to the engine that this range of a record is visible (LZ2), instead of any earlier range.
  case setVisibleRange(RecordID, Range<Int>)
  case clearVisibleRange(RecordID)
  case perform(Verb)
  /// Stores the page of a record that the user has viewed last.
  case remember(RecordID, Int)
  /// Loads the page at which the user left a record. The response is `Input.remembered`.
  case recall(RecordID)
  /// Returns free memory to the system after the window has become smaller.
  case releaseMemory
  case redraw
  case suspend
  case quit
}

/// A change to the library.
public enum Verb: Sendable, Equatable {
  /// Starts an engine after the engine of another process has ended.
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
