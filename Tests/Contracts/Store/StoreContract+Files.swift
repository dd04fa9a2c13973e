import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  static let files = [
    StoreRule("A partial download is read as it was written, and the last write counts") { store in
      let bare = PartialDownload(
        validator: Validator(), totalBytes: nil, bootID: "", syncedBytes: 0)
      let requests = [
        RequestKey(high: .max, low: 1), RequestKey(high: 0, low: .max), RequestKey(high: 1, low: 0),
      ]
      try store.apply(
        [
          .partial(requests[0], bare), .partial(requests[1], bare),
          .partial(requests[1], anyPartial), .partial(requests[2], anyPartial),
        ])
      #expect(try store.partial(of: requests[0]) == bare)
      #expect(try store.partial(of: requests[1]) == anyPartial)
      #expect(try store.partial(of: RequestKey(high: 0, low: 0)) == nil)
      #expect(Set(try store.partials()) == Set(requests))
      try store.apply(
        [.partialDeleted(requests[1]), .partialDeleted(RequestKey(high: 0, low: 0))])
      #expect(try store.partial(of: requests[1]) == nil)
      #expect(try store.partials().count == 2)
    },
    StoreRule("Partial data outlives its resources and a new file") { store in
      let (record, ids) = try store.addRecord(resources: 1)
      try store.apply(
        [.partial(makeRequest(1), anyPartial), .stored(ids[0], makeFile(answer: makeAnswer(1)))])
      try store.removeRecord(record)
      #expect(try store.partial(of: makeRequest(1)) == anyPartial)
    },
    StoreRule("A request is answered by the newest file that is in place") { store in
      let (record, ids) = try store.addRecord(resources: 4)
      let newest = makeFile(2, answer: makeAnswer(1, asOf: ResourceID(30), freshUntil: 99))
      try store.apply(
        [
          .stored(ids[0], makeFile(1, answer: makeAnswer(1, asOf: ResourceID(20)))),
          .fetched(ids[0]),
          .stored(ids[1], newest), .fetched(ids[1]),
          .stored(ids[2], makeFile(3, answer: makeAnswer(1, asOf: ResourceID(10)))),
          .fetched(ids[2]),
          .stored(ids[3], makeFile(4, answer: makeAnswer(2))), .fetched(ids[3]),
        ])
      let answers = try store.answers(
        to: [makeRequest(3), makeRequest(1), makeRequest(2), makeRequest(1)])
      #expect(answers.count == 2)
      #expect(
        answers[makeRequest(1)]
          == ExistingFile(resource: ids[1], record: record, folder: "record", file: newest))
      #expect(answers[makeRequest(2)]?.resource == ids[3])
      #expect(try store.answers(to: []) == [:])
    },
    StoreRule("Of many requests and contents at once, the stored ones are found") { store in
      let (_, ids) = try store.addRecord(resources: 150)
      let requests = (0..<150).map { RequestKey(high: UInt64($0) << 33, low: UInt64($0)) }
      let digests = (0..<150).map { makeDigest(UInt8($0)) }
      let held = stride(from: 0, to: 150, by: 7)
      for index in held {
        let answer = StoredFile.Answer(request: requests[index], asOf: ids[index], freshUntil: nil)
        try store.apply(
          [.stored(ids[index], makeFile(UInt8(index), answer: answer)), .fetched(ids[index])])
      }
      let answers = try store.answers(to: requests)
      #expect(Set(answers.values.map(\.resource)) == Set(held.map { ids[$0] }))
      let holders = try store.holders(of: digests, limit: 9)
      #expect(Set(holders.values.flatMap { $0 }.map(\.resource)) == Set(held.map { ids[$0] }))
    },
    StoreRule("A file that is stored and not yet in place answers no request") { store in
      let (record, ids) = try store.addRecord(resources: 1)
      let file = makeFile(1, answer: makeAnswer(1))
      func isHeld() throws -> Bool {
        let answer = try store.answers(to: [makeRequest(1)])[makeRequest(1)]
        let holders = try store.holders(of: [file.digest], limit: 9)
        #expect(answer.map { [file.digest: [$0]] } ?? [:] == holders)
        return answer?.file == file
      }
      #expect(try !isHeld())
      try store.apply([.stored(ids[0], file)])
      #expect(try !isHeld())
      let inPlace: [ResourceChange] = [
        .fetched(ids[0]), .finished(ids[0], pages: [], reason: nil),
        .failed(ids[0], reason: "cannot be shown", pages: []),
      ]
      for change in inPlace {
        try store.apply([change])
        #expect(try isHeld(), "\(change)")
      }
      #expect(try store.perform(.retry(processing: ""), on: record) == 1)
      #expect(try isHeld())
      _ = try store.perform(.reload, on: record)
      #expect(try isHeld())
      _ = try store.perform(.cancel(reason: "x"), on: record)
      #expect(try isHeld())
      try store.apply([.requeued(ids[0], reason: nil)])
      #expect(try !isHeld())
    },
    StoreRule("A file that was not downloaded, or was removed, answers no request") { store in
      let (record, ids) = try store.addRecord(resources: 2)
      try store.apply(
        [
          .stored(ids[0], makeFile(1)), .fetched(ids[0]),
          .stored(ids[1], makeFile(2, answer: makeAnswer(2))), .fetched(ids[1]),
          .stored(ids[1], makeFile(3, answer: makeAnswer(3))), .fetched(ids[1]),
        ])
      let requests = (0...3).map { makeRequest($0) }
      #expect(Set(try store.answers(to: requests).keys) == [makeRequest(3)])
      #expect(try store.holders(of: [makeDigest(2)], limit: 9) == [:])
      #expect(try store.holders(of: [makeDigest(1)], limit: 9).count == 1)
      try store.removeRecord(record)
      #expect(try store.answers(to: requests) == [:])
      #expect(try store.holders(of: [makeDigest(1), makeDigest(3)], limit: 9) == [:])
    },
    StoreRule("A server's word makes an answer newer, or makes it one") { store in
      let (_, ids) = try store.addRecord(resources: 3)
      try store.apply(
        [
          .stored(ids[0], makeFile(1, answer: makeAnswer(1, asOf: ResourceID(3)))),
          .finished(ids[0], pages: makePages(1), reason: "kept"),
          .stored(ids[1], makeFile(2)), .fetched(ids[1]),
        ])
      let confirmed = makeAnswer(1, asOf: ResourceID(9), freshUntil: -4)
      try store.apply(
        [
          .answering(ids[0], confirmed), .answering(ids[1], makeAnswer(2)),
          .answering(ids[2], makeAnswer(3)),
        ])
      let resource = try #require(try store.resource(ids[0]))
      #expect(resource.file == makeFile(1, answer: confirmed))
      #expect(resource.state == .finished && resource.reason == "kept" && resource.pageCount == 1)
      let answers = try store.answers(to: (1...3).map { makeRequest($0) })
      #expect(answers[makeRequest(1)]?.file.answer == confirmed)
      #expect(answers[makeRequest(2)]?.file == makeFile(2, answer: makeAnswer(2)))
      #expect(answers.count == 2)
      try store.apply([.answering(ids[0], nil)])
      #expect(try store.answers(to: [makeRequest(1)]) == [:])
      #expect(try store.resource(ids[0])?.file == makeFile(1))
      #expect(try store.holders(of: [makeDigest(1)], limit: 9).count == 1)
    },
    StoreRule("A content has as many holders as requested, the newest first") { store in
      let (a, first) = try store.addRecord("a", resources: 3)
      let (b, second) = try store.addRecord("b", resources: 3)
      let file = makeFile(7)
      for id in first + second {
        try store.apply([.stored(id, file), .fetched(id)])
      }
      try store.apply(
        [.stored(second[2], makeFile(8)), .stored(first[0], makeFile(9)), .fetched(first[0])])
      func holders(_ limit: Int) throws -> [ResourceID] {
        let asked = [makeDigest(7), makeDigest(8), makeDigest(1), makeDigest(7)]
        let found = try store.holders(of: asked, limit: limit)
        #expect(found.keys.allSatisfy { $0 == makeDigest(7) })
        return found[makeDigest(7)]?.map(\.resource) ?? []
      }
      #expect(try holders(9) == [second[1], second[0], first[2], first[1]])
      #expect(try holders(2) == [second[1], second[0]])
      #expect(try holders(0) == [])
      #expect(try holders(-1) == [])
      let held = try store.holders(of: [makeDigest(7)], limit: 9)[makeDigest(7)] ?? []
      #expect(held.map(\.folder) == ["b", "b", "a", "a"])
      #expect(held.map(\.record) == [b, b, a, a])
      #expect(held.allSatisfy { $0.file == file })
    },
  ]
}
