import Models
import Persistence
import Testing

extension StoreContract {
  static let resources = [
    StoreRule("Resources keep their order and count on from the last one") { store in
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      let other = try store.appendRecord(
        RecordDraft(source: source, title: "u", folder: "g"))
      try store.appendResources(makeDrafts(3, host: "one"), to: record)
      try store.appendResources(makeDrafts(2, host: "other"), to: other)
      try store.appendResources([], to: record)
      try store.appendResources(makeDrafts(2, host: "two"), to: record)
      try store.completeSource(source)
      try store.appendResources(makeDrafts(1, host: "three"), to: record)
      let all = try store.resources(of: record, offset: 0, limit: 99)
      #expect(all.map(\.index) == [1, 2, 3, 4, 5, 6])
      #expect(
        all.map(\.url) == [
          "https://one/1.jpg", "https://one/2.jpg", "https://one/3.jpg", "https://two/1.jpg",
          "https://two/2.jpg", "https://three/1.jpg",
        ])
      #expect(all.map(\.id) == all.map(\.id).sorted())
      #expect(try store.record(record)?.counts.queued == 6)
      #expect(try store.record(other)?.counts.queued == 2)
    },
    StoreRule("Resources are read in windows of their record") { store in
      let (record, ids) = try store.addRecord(resources: 10)
      func window(_ offset: Int, _ limit: Int) throws -> [ResourceID] {
        try store.resources(of: record, offset: offset, limit: limit).map(\.id)
      }
      #expect(try window(0, 3) == Array(ids[0..<3]))
      #expect(try window(7, 99) == Array(ids[7...]))
      #expect(try window(10, 5) == [])
      #expect(try window(0, 0) == [])
      #expect(try window(-3, 2) == Array(ids[0..<2]))
      #expect(try window(2, -1) == [])
      #expect(try store.resources(of: RecordID(77), offset: 0, limit: 9) == [])
    },
    StoreRule("Resources of a record that does not exist are refused") { store in
      let code = try errorCode {
        try store.appendResources(makeDrafts(1), to: RecordID(77))
      }
      #expect(code == .notFound)
    },
    StoreRule("Long rows, many of them at once, are stored unchanged") { store in
      let drafts = (0..<150).map { index in
        var draft = ResourceDraft(
          url: "https://example.com/" + String(repeating: "\(index)", count: 10 * index))
        if index % 3 == 0 { draft.title = String(repeating: "ü", count: index) }
        if index % 5 == 0 { draft.expectedChecksum = Checksum(makeDigest(UInt8(index))) }
        return draft
      }
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try store.appendResources(drafts, to: record)
      // The same without anything but URLs.
      try store.appendResources(drafts.map { ResourceDraft(url: $0.url) }, to: record)
      try store.completeSource(source)
      let all = try store.resources(of: record, offset: 0, limit: 999)
      #expect(all.map(\.url) == (drafts + drafts).map(\.url))
      #expect(all.map(\.title) == drafts.map(\.title) + drafts.map { _ in nil })
      #expect(
        all.map(\.expectedChecksum) == drafts.map(\.expectedChecksum) + drafts.map { _ in nil })
      let files = drafts.indices.map { index in
        StoredFile(
          name: String(repeating: "\(index)", count: 10 * index), byteCount: Int64(index),
          digest: makeDigest(UInt8(index)), format: .jpeg,
          mediaType: String(repeating: "m", count: index), answer: makeAnswer(UInt64(index)))
      }
      try store.apply(
        zip(all, files).map { .stored($0.id, $1) })
      #expect(
        try store.resources(of: record, offset: 0, limit: 150).map(\.file) == files)
    },
    StoreRule("A draft is stored unchanged") { store in
      var fields = HTTPFields([
        "Referer": "https://example.com/?a=b:c", "X:odd\nname": "line\r\nline\\n\\", "": "",
      ])
      fields.append("Referer", "twice")
      let drafts =
        [
          ResourceDraft(url: "https://example.com/ü\u{0}?q='"),
          ResourceDraft(
            url: "", title: "", expectedChecksum: Checksum(makeDigest(200)), fields: fields),
          ResourceDraft(url: "u", title: "a title\n", fields: HTTPFields(["": ""])),
        ]
        + Checksum.Algorithm.allCases.map { algorithm in
          ResourceDraft(
            url: "u", expectedChecksum: Checksum([UInt8](repeating: 7, count: algorithm.byteCount)))
        }
      let source = try store.beginSource(SourceDraft(key: "k", location: ""))
      let record = try store.appendRecord(
        RecordDraft(source: source, title: "t", folder: "f"))
      try store.appendResources(drafts, to: record)
      try store.completeSource(source)
      let found = try store.resources(of: record, offset: 0, limit: 99)
      let backAgain = found.map {
        ResourceDraft(
          url: $0.url, title: $0.title, expectedChecksum: $0.expectedChecksum, fields: $0.fields)
      }
      #expect(backAgain == drafts)
      for resource in found {
        #expect(resource.record == record)
        #expect(resource.state == .queued)
        #expect(resource.file == nil && resource.reason == nil)
        #expect(resource.attempts == 0 && resource.pageCount == 0)
        #expect(try store.resource(resource.id) == resource)
      }
    },
    StoreRule("A stored file is stored unchanged") { store in
      let (_, ids) = try store.addRecord(resources: 3)
      var timings = TransferTimings()
      timings.queue = 0.25
      timings.connect = 1e-9
      timings.lastByte = 123_456.789
      timings.receivedBytes = 8_000_000_000
      let full = StoredFile(
        name: "0001-ü.jpg", byteCount: 9_000_000_000, digest: makeDigest(255), format: .sevenZip,
        validator: Validator(entityTag: EntityTag("W/\"x:y\""), lastModified: "Mon"),
        mediaType: "image/jpeg; a=\"b\"", timings: timings)
      let plain = StoredFile(name: "", byteCount: 0, digest: makeDigest(0), format: .unknown)
      try store.apply([.stored(ids[0], full), .stored(ids[1], plain)])
      #expect(try store.resource(ids[0])?.file == full)
      #expect(try store.resource(ids[1])?.file == plain)
      #expect(try store.resource(ids[2])?.file == nil)
    },
    StoreRule("Pages are read by number; the last one of a number replaces the others") { store in
      let (_, ids) = try store.addRecord(resources: 1)
      let full = Page(
        number: 2, width: 1, height: 2, label: "b/é.png", file: "f", thumbnail: "t",
        thumbHash: ThumbHash([9, 8, 7, 3, 5] + [UInt8](repeating: 1, count: 12)), reason: "r")
      #expect(full.thumbHash != nil)
      let pages = [
        full, Page(number: 1, width: 0, height: 0, remark: "é"),
        Page(number: 2, width: 9, height: 9),
      ]
      try store.apply([.finished(ids[0], pages: pages, reason: nil)])
      #expect(try store.pages(of: ids[0]) == [pages[1], pages[2]])
      #expect(try store.resource(ids[0])?.pageCount == 2)
      try store.apply([.finished(ids[0], pages: [full], reason: nil)])
      #expect(try store.pages(of: ids[0]) == [full])
      #expect(try store.pages(of: ResourceID(77)) == [])
    },
  ]
}
