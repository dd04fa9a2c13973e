import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let readers = [
    StoreRule("A reader sees the changes of a call as soon as it has returned") { store in
      let reader = store.reader
      let (record, ids) = try store.addRecord(resources: 4)
      for (index, id) in ids.enumerated() {
        try store.apply([.stored(id, makeFile(UInt8(index)))])
        #expect(try await reader.resource(id)?.file == makeFile(UInt8(index)))
        #expect(try await reader.record(record)?.counts.stored == index + 1)
      }
    },
    StoreRule("A reader sees all of a transaction or nothing of it") { store in
      let (record, _) = try store.addRecord(resources: 0)
      let reader = store.reader
      let readings = Watched(0)
      async let torn = tornReadings(reader, readings)
      for number in 1...60 {
        try store.transaction { () throws(StoreError) in
          try store.appendResources(makeDrafts(3), to: record)
          try store.setLibraryState(makeState(concurrency: number))
        }
        let undone = try errorCode {
          try store.transaction { () throws(StoreError) in
            try store.appendResources(makeDrafts(1), to: record)
            throw StoreError(.internal, "interrupted")
          }
        }
        #expect(undone == .internal)
        // The reader goes on beside, and is neither left behind nor without something to see.
        try await readings.until { $0 >= number }
      }
      readings.update { $0 = .min }
      #expect(try await torn == 0)
      #expect(try await reader.totals().queued == 180)
    },
    StoreRule("Many tasks read at once while the owner writes") { store in
      let (record, ids) = try store.addRecord(resources: 40)
      let reader = store.reader
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            var last = 0
            for _ in 0..<20 {
              let stored = try await reader.record(record)?.counts.stored ?? -1
              #expect(stored >= last, "what was seen once stays")
              last = stored
            }
            return last
          }
        }
        for id in ids {
          try store.apply([.attempted(id), .stored(id, makeFile())])
          await Task.yield()
        }
        for try await last in group { #expect(last <= 40) }
      }
      #expect(try await reader.totals().stored == 40)
    },
    StoreRule("An error of a read is thrown to its caller, and the reader remains usable") {
      store in
      let reader = store.reader
      do throws(StoreError) {
        try await reader.read { _ throws(StoreError) in throw StoreError(.internal, "own") }
        Issue.record("nothing was thrown")
      } catch {
        #expect(error.detail == "own")
      }
      let count = try await reader.recordCount()
      #expect(count == 0)
    },
    StoreRule("A closed reader reports that, and can be closed twice; the store remains usable") {
      store in
      let (record, _) = try store.addRecord(resources: 1)
      let reader = store.reader
      await reader.close()
      await reader.close()
      #expect(try await errorCode(opening: { _ = try await reader.totals() }) == .closed)
      #expect(
        try await errorCode(opening: { _ = try await reader.integrityProblems() }) == .closed)
      #expect(
        try await errorCode(opening: { _ = try await store.reader.totals() }) == .closed)
      try store.setPaused(true, record: record)
      #expect(try store.record(record)?.isPaused == true)
    },
  ]
}

/// Reads and counts its readings, until the count is negative.
/// - Returns: how often a read saw part of a transaction.
private func tornReadings(
  _ reader: any LibraryReader, _ readings: Watched<Int>
) async throws -> Int {
  var torn = 0
  while readings.value >= 0 {
    let (queued, marks) = try await reader.read { rows throws(StoreError) in
      (try rows.totals().queued, try rows.libraryState().concurrency ?? 0)
    }
    torn += queued == 3 * marks ? 0 : 1
    readings.update { $0 += 1 }
  }
  return torn
}
