import Models
import Persistence
import TestSupport
import Testing

extension StoreContract {
  /// What is added at the top, of the list and of a record.
  static let order = [
    StoreRule("A record goes to the top of the list or to its end") { store in
      let (record, _) = try store.addRecord("a", resources: 1)
      let source = try #require(try store.record(record)).source
      for (title, place) in [("b", .end), ("c", .top), ("d", .top), ("e", .end)]
        as [(String, InsertPosition)]
      {
        _ = try store.appendRecord(
          RecordDraft(source: source, title: title, folder: title), at: place)
      }
      _ = try store.addRecord("f", resources: 1)
      let titles = ["d", "c", "a", "b", "e", "f"]
      #expect(try store.records(offset: 0, limit: 9).map(\.title) == titles)
      #expect(try store.records(offset: 1, limit: 2).map(\.title) == ["c", "a"])
      #expect(try store.records(of: source).map(\.title) == ["d", "c", "a", "b", "e"])
      #expect(try store.firstRecord(of: source) == record)
      #expect(try store.firstRecord(of: SourceID(source.rawValue + 9)) == nil)
    },
    StoreRule("A record at the top of an empty list, and of a source that is read") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      for title in ["a", "b"] {
        _ = try store.appendRecord(
          RecordDraft(source: source, title: title, folder: title), at: .top)
      }
      #expect(try store.recordCount() == 0)
      try store.completeSource(source)
      #expect(try store.records(offset: 0, limit: 9).map(\.title) == ["a", "b"])
      try store.discardSource(source)
      let other = try store.beginSource(SourceDraft(key: "l", location: ""))
      try store.completeSource(other)
      for (title, place) in [("c", .top), ("d", .end)] as [(String, InsertPosition)] {
        _ = try store.appendRecord(
          RecordDraft(source: other, title: title, folder: title), at: place)
      }
      #expect(try store.records(offset: 0, limit: 9).map(\.title) == ["c", "d"])
    },
    StoreRule("Resources that are added at the top are first, in order, with continuing numbers") {
      store in
      let (record, _) = try store.addRecord("a", resources: 2)
      for (host, place) in [("one", .top), ("two", .end), ("three", .top)]
        as [(String, InsertPosition)]
      {
        _ = try store.insertResources(makeDrafts(2, host: host), into: record, at: place)
      }
      let all = try store.resources(of: record, offset: 0, limit: 99)
      #expect(
        all.map(\.url)
          == ["three", "one", "a", "two"].flatMap {
            ["https://\($0)/1.jpg", "https://\($0)/2.jpg"]
          })
      #expect(all.map(\.index) == [7, 8, 3, 4, 1, 2, 5, 6])
      #expect(all.sorted { $0.id < $1.id }.map(\.index) == Array(1...8))
      for offset in 0...8 {
        let window = try store.resources(of: record, offset: offset, limit: 3)
        #expect(window == Array(all.dropFirst(offset).prefix(3)))
      }
      #expect(try store.resource(all[0].id) == all[0])
      #expect(try store.record(record)?.counts.queued == 8)
    },
    StoreRule("Resources at the top of an empty record are its first ones") { store in
      let (record, _) = try store.addRecord(resources: 0)
      _ = try store.insertResources(makeDrafts(2), into: record, at: .top)
      _ = try store.insertResources(makeDrafts(1), into: record, at: .end)
      let all = try store.resources(of: record, offset: 0, limit: 9)
      #expect(all.map(\.index) == [1, 2, 3])
    },
    StoreRule("Ids are assigned in order and returned; none without resources") { store in
      #expect(try store.lastResource() == ResourceID(0))
      let (a, ids) = try store.addRecord("a", resources: 2)
      let (b, _) = try store.addRecord("b", resources: 1)
      let last = try store.lastResource()
      #expect(last > ids[1])
      for place in [InsertPosition.top, .end] {
        let range = try store.insertResources(makeDrafts(3), into: a, at: place)
        #expect(range.last.rawValue - range.first.rawValue == 2)
        #expect(range.first > last)
        #expect(try store.lastResource() == range.last)
        let first = try #require(try store.resource(range.first))
        #expect(first.record == a && first.url == makeDrafts(1)[0].url)
        let none = try store.insertResources([], into: b, at: place)
        #expect(none.first > none.last)
        #expect(try store.lastResource() == range.last)
      }
    },
  ]
}
