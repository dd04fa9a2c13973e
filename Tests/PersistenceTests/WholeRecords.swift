import Models
import Persistence

/// What changes many rows, to its end: in slices that are shorter than the records of the tests.
extension LibraryStore {
  private static var sliceLength: Int { 3 }

  private func inSlices(
    _ body: (_ after: ResourceID?, _ limit: Int) throws(StoreError) -> RowSlice
  ) throws(StoreError) -> Int {
    var count = 0
    var after: ResourceID?
    repeat {
      let slice = try body(after, Self.sliceLength)
      count += slice.count
      after = slice.last
    } while after != nil
    return count
  }

  /// - Parameter record: nil: all of the list.
  private func each(
    of record: RecordID?, _ body: (RecordID) throws(StoreError) -> Int
  ) throws(StoreError) -> Int {
    var count = 0
    let all = try records(offset: 0, limit: .max).map(\.id)
    for id in record.map({ [$0] }) ?? all { count += try body(id) }
    return count
  }

  func requeueFailed(of record: RecordID?) throws(StoreError) -> Int {
    try each(of: record) { id throws(StoreError) in
      try inSlices { after, limit throws(StoreError) in
        try requeueFailed(of: id, after: after, limit: limit)
      }
    }
  }

  func processAgain(
    of record: RecordID?, failedWith reason: String
  ) throws(StoreError) -> Int {
    try each(of: record) { id throws(StoreError) in
      try inSlices { after, limit throws(StoreError) in
        try processAgain(of: id, failedWith: reason, after: after, limit: limit)
      }
    }
  }

  func requeueAll(of record: RecordID) throws(StoreError) -> Int {
    try inSlices { after, limit throws(StoreError) in
      try requeueAll(of: record, after: after, limit: limit)
    }
  }

  func giveUpQueued(of record: RecordID, reason: String) throws(StoreError) -> Int {
    try inSlices { after, limit throws(StoreError) in
      try giveUpQueued(of: record, reason: reason, after: after, limit: limit)
    }
  }
}
