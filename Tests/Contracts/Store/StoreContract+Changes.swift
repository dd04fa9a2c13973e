import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let changes = [
    StoreRule("A download goes from queued to finished and is counted on the way") { store in
      let (record, ids) = try store.addRecord(resources: 2)
      let id = ids[0]
      func counts() throws -> [Int] {
        let counts = try store.totals()
        #expect(try store.record(record)?.counts == counts)
        return ResourceState.allCases.map { counts[$0] } + [Int(counts.bytes)]
      }
      #expect(try counts() == [2, 0, 0, 0, 0, 0])
      try store.apply([.attempted(id)])
      #expect(try store.resource(id)?.attempts == 1)
      #expect(try counts() == [2, 0, 0, 0, 0, 0])
      try store.apply([.stored(id, makeFile(bytes: 70))])
      #expect(try counts() == [1, 1, 0, 0, 0, 70])
      try store.apply([.fetched(id)])
      #expect(try counts() == [1, 0, 1, 0, 0, 70])
      try store.apply(
        [.finished(id, pages: makePages(3), reason: "no preview")])
      #expect(try counts() == [1, 0, 0, 1, 0, 70])
      let resource = try #require(try store.resource(id))
      #expect(resource.state == .finished)
      #expect(resource.reason == "no preview")
      #expect(resource.pageCount == 3)
      #expect(resource.file == makeFile(bytes: 70))
      #expect(resource.attempts == 1)
    },
    StoreRule("A failure keeps its reason and its file") { store in
      let (record, ids) = try store.addRecord(resources: 2)
      try store.apply(
        [
          .attempted(ids[0]), .failed(ids[0], reason: "HTTP 404", pages: []),
          .stored(ids[1], makeFile(bytes: 5)),
          .failed(ids[1], reason: "page 2 is damaged", pages: makePages(2)),
        ])
      let first = try #require(try store.resource(ids[0]))
      #expect(first.state == .failed && first.reason == "HTTP 404" && first.file == nil)
      let second = try #require(try store.resource(ids[1]))
      #expect(second.file == makeFile(bytes: 5) && second.pageCount == 2)
      #expect(try store.pages(of: ids[1]) == makePages(2))
      let counts = try #require(try store.record(record)).counts
      #expect(counts.failed == 2 && counts.bytes == 5 && counts.settled == 2)
    },
    StoreRule("First pages have sizes where there is one, side by side as the resources are") {
      store in
      let (record, ids) = try store.addRecord(resources: 4)
      try store.apply(
        [
          .stored(ids[1], makeFile(bytes: 5)), .finished(ids[1], pages: makePages(2), reason: nil),
          .stored(ids[3], makeFile(bytes: 5)), .finished(ids[3], pages: makePages(1), reason: nil),
        ])
      let page = makePages(1)[0]
      let size = PageSize(width: page.width, height: page.height)
      #expect(
        try store.firstPageSizes(of: record, offset: 0, limit: 10)
          == [ids[1]: size, ids[3]: size])
      #expect(try store.firstPageSizes(of: record, offset: 1, limit: 2) == [ids[1]: size])
      #expect(try store.firstPageSizes(of: record, offset: 4, limit: 2) == [:])
      #expect(try store.firstPageSizes(of: RecordID(99), offset: 0, limit: 2) == [:])
    },
    StoreRule("Resources are selected by state, in the order of the record, of size or of time") {
      store in
      let (record, ids) = try store.addRecord(resources: 6)
      // Earlier transfers had received all of this file but 9 bytes.
      var slow = makeFile(3, bytes: 100_000)
      slow.timings.receivedBytes = 9
      slow.timings.queue = 100
      slow.timings.request = 110
      slow.timings.firstByte = 120
      slow.timings.lastByte = 1_000
      var quick = makeFile(1, bytes: 30)
      quick.timings.connect = 1
      quick.timings.firstByte = 4
      quick.timings.lastByte = 5
      var middle = makeFile(2, bytes: 10)
      middle.timings.firstByte = 20
      middle.timings.lastByte = 60
      try store.apply(
        [
          .stored(ids[0], quick), .finished(ids[0], pages: makePages(2), reason: nil),
          .stored(ids[1], middle), .fetched(ids[1]),
          .stored(ids[2], slow),
          .failed(ids[3], reason: "x", pages: []),
        ])
      func select(
        _ states: Set<ResourceState>? = nil, _ order: ResourceSelection.Order = .position,
        descending: Bool = false
      ) throws -> [ResourceID] {
        try store.resourceIDs(
          of: record,
          ResourceSelection(states: states, order: order, isDescending: descending))
      }
      #expect(try select() == ids)
      #expect(try select(descending: true) == ids.reversed())
      #expect(try select(Set(ResourceState.allCases)) == ids)
      #expect(try select([]) == [])
      for (state, expected) in [
        (.queued, [ids[4], ids[5]]), (.stored, [ids[2]]), (.fetched, [ids[1]]),
        (.finished, [ids[0]]), (.failed, [ids[3]]),
      ] as [(ResourceState, [ResourceID])] {
        #expect(try select([state]) == expected, "\(state)")
      }
      #expect(try select([.failed, .queued]) == Array(ids[3...]))
      #expect(try select(nil, .size) == [ids[1], ids[0], ids[2], ids[3], ids[4], ids[5]])
      #expect(
        try select(nil, .size, descending: true)
          == [ids[2], ids[0], ids[1], ids[3], ids[4], ids[5]])
      #expect(try select(nil, .duration) == [ids[0], ids[1], ids[2], ids[3], ids[4], ids[5]])
      #expect(try select([.stored, .fetched], .duration, descending: true) == [ids[2], ids[1]])
      // In milliseconds: waits 3, 20, 10; transfers 1, 40, 880; rates 6, 0.17, 0.01 bytes.
      let files = [ids[0], ids[1], ids[2]]
      #expect(try select(nil, .wait).prefix(3) == [ids[0], ids[2], ids[1]])
      #expect(try select(nil, .transfer).prefix(3) == files[...])
      #expect(try select(nil, .rate, descending: true).prefix(3) == files[...])
      #expect(try store.resourceIDs(of: RecordID(99), ResourceSelection()) == [])
      #expect(
        try store.resources([ids[5], ResourceID(99_999), ids[0]]).map(\.id) == [ids[5], ids[0]])
      #expect(try store.firstPages(of: ids + [ResourceID(99_999)]) == [ids[0]: makePages(2)[0]])
    },
    StoreRule("A few resources are selected among many finished ones") { store in
      let (record, ids) = try store.addRecord(resources: 40)
      let (other, otherIDs) = try store.addRecord("other", resources: 3, key: "other")
      try store.apply(
        ids[..<34].map { .finished($0, pages: [], reason: nil) }
          + [39, 35, 37].map { .failed(ids[$0], reason: "x", pages: []) }
          + [.stored(ids[36], makeFile(1)), .failed(otherIDs[1], reason: "x", pages: [])])
      func select(
        _ states: Set<ResourceState>, of record: RecordID = record, descending: Bool = false,
        _ order: ResourceSelection.Order = .position
      ) throws -> [ResourceID] {
        try store.resourceIDs(
          of: record, ResourceSelection(states: states, order: order, isDescending: descending))
      }
      let failed = [ids[35], ids[37], ids[39]]
      for order in [ResourceSelection.Order.position, .size] {
        #expect(try select([.failed], order) == failed)
        #expect(try select([.queued], order) == [ids[34], ids[38]])
        #expect(try select([.fetched], order) == [])
        #expect(try select([.failed], of: other, order) == [otherIDs[1]])
      }
      #expect(try select([.failed], descending: true) == failed.reversed())
      #expect(try select([.queued, .failed]) == [ids[34], ids[35], ids[37], ids[38], ids[39]])
      #expect(try select([.stored]) == [ids[36]])
    },
    StoreRule("Failures with a reason are counted") { store in
      let (record, ids) = try store.addRecord(resources: 4)
      try store.apply(
        [
          .failed(ids[0], reason: "cancelled", pages: []), .failed(ids[1], reason: "x", pages: []),
          .failed(ids[2], reason: "cancelled", pages: []),
        ])
      #expect(try store.failedCount(of: record, reason: "cancelled") == 2)
      #expect(try store.failedCount(of: record, reason: "y") == 0)
      #expect(try store.failedCount(of: RecordID(99), reason: "x") == 0)
    },
    StoreRule("A newer file replaces the older one, its pages and its reason") { store in
      let (record, ids) = try store.addRecord(resources: 1)
      try store.apply(
        [
          .stored(ids[0], makeFile(1, bytes: 10)),
          .finished(ids[0], pages: makePages(2), reason: "first page only"),
          .stored(ids[0], makeFile(2, bytes: 7)),
        ])
      let resource = try #require(try store.resource(ids[0]))
      #expect(resource.file == makeFile(2, bytes: 7))
      #expect(resource.reason == nil && resource.pageCount == 0 && resource.state == .stored)
      #expect(try store.pages(of: ids[0]) == [])
      #expect(try store.record(record)?.counts.bytes == 7)
    },
    StoreRule("Many files in one call, and the changes between them, apply in order") { store in
      let (record, ids) = try store.addRecord(resources: 40)
      let stored = ids.enumerated().map { index, id in
        ResourceChange.stored(
          id, makeFile(UInt8(index), answer: makeAnswer(UInt64(index), asOf: id)))
      }
      let other = StoredFile(
        name: "other.jpg", byteCount: 7, digest: makeDigest(77), format: .png)
      try store.apply(
        stored + [
          .stored(ids[3], other), .requeued(ids[5], reason: "again"), .removed(ids[7]),
          .answering(ids[9], makeAnswer(99, asOf: ids[39])), .stored(ids[5], other),
          .fetched(ids[9]), .stored(ids[11], other),
        ])
      #expect(try store.resource(ids[3])?.file == other)
      #expect(try store.resource(ids[5])?.file == other)
      #expect(try store.resource(ids[11])?.file == other)
      #expect(try store.resource(ids[7]) == nil)
      #expect(try store.answers(to: [makeRequest(99)]).map(\.value.resource) == [ids[9]])
      for index in [0, 15, 16, 19, 20, 38, 39] {
        #expect(try store.resource(ids[index])?.file?.name == "\(index).jpg")
      }
      let counts = try #require(try store.record(record)).counts
      #expect(counts.stored == 38 && counts.fetched == 1 && counts.bytes == 36 * 100 + 3 * 7)
      let isStored = try store.resources(in: .stored, after: nil, limit: 99).map(\.id)
      #expect(isStored == ids.filter { $0 != ids[7] && $0 != ids[9] })
      try store.apply(
        isStored.dropLast().map { .finished($0, pages: [], reason: nil) })
      #expect(try store.resources(in: .stored, after: nil, limit: 99).map(\.id) == [ids[39]])
    },
    StoreRule("A requeued resource is as new, and says why") { store in
      let (record, ids) = try store.addRecord(resources: 1)
      let new = try store.resource(ids[0])
      let spoilt: [ResourceChange] = [
        .attempted(ids[0]), .stored(ids[0], makeFile(answer: makeAnswer(1))),
        .failed(ids[0], reason: "damaged", pages: makePages(1)),
        .partial(makeRequest(1), anyPartial),
      ]
      try store.apply(spoilt + [.requeued(ids[0], reason: nil)])
      #expect(try store.resource(ids[0]) == new)
      #expect(try store.pages(of: ids[0]) == [])
      #expect(try store.answers(to: [makeRequest(1)]) == [:])
      #expect(try store.partial(of: makeRequest(1)) == anyPartial)
      #expect(try store.record(record)?.counts.bytes == 0)
      try store.apply(spoilt)
      #expect(try store.perform(.reload, on: record) == 1)
      try store.apply([.requeued(ids[0], reason: "its file is gone")])
      var expected = try #require(new)
      expected.reason = "its file is gone"
      #expect(try store.resource(ids[0]) == expected)
    },
    StoreRule("Changes of removed resources have no effect, the others apply") { store in
      let (record, ids) = try store.addRecord("a", resources: 1)
      let (gone, lost) = try store.addRecord("b", resources: 1)
      try store.removeRecord(gone)
      for id in [lost[0], ResourceID(999), ResourceID(0), ResourceID(-1)] {
        try store.apply(
          [
            .attempted(id), .stored(id, makeFile(answer: makeAnswer(1))), .fetched(id),
            .finished(id, pages: makePages(1), reason: nil),
            .failed(id, reason: "x", pages: makePages(1)), .answering(id, makeAnswer(1)),
            .requeued(id, reason: "y"), .removed(id), .attempted(ids[0]),
          ])
      }
      #expect(try store.resource(ids[0])?.attempts == 4)
      #expect(try store.answers(to: [makeRequest(1)]) == [:])
      #expect(try store.totals().queued == 1)
      #expect(try store.record(record)?.counts.total == 1)
    },
    StoreRule("An empty change is fine") { store in
      try store.apply([])
      try store.apply([])
    },
    StoreRule("Requeueing takes exactly the failed ones, of one record or of all") { store in
      let (a, first) = try store.addRecord("a", resources: 3)
      let (b, second) = try store.addRecord("b", resources: 2)
      try store.apply(
        [
          .attempted(first[0]), .partial(makeRequest(1), anyPartial),
          .failed(first[0], reason: "x", pages: []),
          .stored(first[1], makeFile(bytes: 9)),
          .failed(first[1], reason: "y", pages: makePages(1)),
          .finished(first[2], pages: [], reason: "kept"),
          .attempted(second[0]), .failed(second[0], reason: "z", pages: []),
          .attempted(second[1]),
        ])
      #expect(try store.perform(.retry(processing: ""), on: a) == 2)
      let again = try #require(try store.resource(first[0]))
      #expect(again.state == .queued && again.reason == nil && again.attempts == 0)
      #expect(try store.partial(of: makeRequest(1)) == anyPartial)
      let kept = try #require(try store.resource(first[1]))
      #expect(kept.file == makeFile(bytes: 9) && kept.pageCount == 1 && kept.state == .queued)
      #expect(try store.resource(first[2])?.reason == "kept")
      #expect(try store.resource(second[0])?.state == .failed)
      #expect(try store.record(a)?.counts.queued == 2)
      #expect(try store.record(b)?.counts.failed == 1)
      #expect(try store.perform(.retry(processing: ""), on: b) == 1)
      #expect(try store.perform(.retry(processing: ""), on: b) == 0)
      #expect(try store.resource(second[1])?.attempts == 1)
    },
  ]
}
