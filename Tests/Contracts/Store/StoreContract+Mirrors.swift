import Models
import Persistence
import Testing

extension StoreContract {
  static let mirrors = [
    StoreRule("Mirrors and an expected size are stored unchanged, in order") { store in
      let drafts = [
        ResourceDraft(url: "http://h/1"),
        ResourceDraft(
          url: "http://h/2", mirrors: ["http://m/ü?a='", "https://n/2"], expectedByteCount: 1 << 40),
        ResourceDraft(url: "http://h/3", title: "t", mirrors: ["http://m/3"]),
      ]
      let found = try resources(drafts, in: store)
      #expect(found.map(\.mirrors) == drafts.map(\.mirrors))
      #expect(found.map(\.expectedByteCount) == [nil, 1 << 40, nil])
      for resource in found { #expect(try store.resource(resource.id) == resource) }
      #expect(try await store.reader.resource(found[1].id) == found[1])
    },
    StoreRule("The mirrors of a resource are bounded") { store in
      let many = (0..<40).map { "http://m\($0)/" }
      let kept = Array(many.prefix(Resource.mirrorLimit))
      let found = try resources([ResourceDraft(url: "u", mirrors: many)], in: store)
      #expect(found.map(\.mirrors) == [kept])
      try store.apply([.mirrored(found[0].id, mirrors: many.reversed(), byteCount: nil)])
      #expect(
        try store.resource(found[0].id)?.mirrors
          == Array(many.reversed().prefix(Resource.mirrorLimit)))
    },
    StoreRule("New mirrors replace the old ones, and change nothing else") { store in
      let drafts = [
        ResourceDraft(url: "http://h/1", mirrors: ["http://m/1"], expectedByteCount: 5),
        ResourceDraft(url: "http://h/2"),
      ]
      let found = try resources(drafts, in: store)
      let file = StoredFile(name: "1", byteCount: 5, digest: makeDigest(1), format: .png)
      try store.apply([.stored(found[0].id, file), .fetched(found[0].id)])
      var first = try #require(try store.resource(found[0].id))
      try store.apply([
        .mirrored(found[0].id, mirrors: ["http://n/1", "http://m/1"], byteCount: 7),
        .mirrored(found[1].id, mirrors: ["http://n/2"], byteCount: nil),
        .mirrored(ResourceID(999), mirrors: ["http://n/3"], byteCount: nil),
        .attempted(found[0].id),
      ])
      first.mirrors = ["http://n/1", "http://m/1"]
      first.expectedByteCount = 7
      first.attempts = 1
      #expect(try store.resource(found[0].id) == first)
      #expect(try store.resource(found[1].id)?.mirrors == ["http://n/2"])
      try store.apply([.mirrored(found[0].id, mirrors: [], byteCount: nil)])
      #expect(try store.resource(found[0].id)?.mirrors == [])
      #expect(try store.resource(found[0].id)?.expectedByteCount == nil)
    },
    StoreRule("A new checksum replaces the old one, and changes nothing else") { store in
      var first = try resources([ResourceDraft(url: "http://h/1", title: "t")], in: store)[0]
      for checksum in [Checksum(makeDigest(1)), Checksum([UInt8](repeating: 2, count: 20)), nil] {
        try store.apply([.expecting(first.id, checksum), .expecting(ResourceID(999), checksum)])
        first.expectedChecksum = checksum
        #expect(try store.resource(first.id) == first)
      }
    },
    StoreRule("A new URL replaces the old one, and changes nothing else") { store in
      var first = try resources([ResourceDraft(url: "http://h/1", title: "t")], in: store)[0]
      let file = StoredFile(name: "1", byteCount: 5, digest: makeDigest(1), format: .png)
      try store.apply([.stored(first.id, file), .fetched(first.id)])
      first = try #require(try store.resource(first.id))
      for url in ["http://h/ü?a='", "http://h/1"] {
        try store.apply([
          .relocated(first.id, url: url), .relocated(ResourceID(999), url: url),
        ])
        first.url = url
        #expect(try store.resource(first.id) == first)
      }
    },
    StoreRule("A resource keeps its mirrors when it is queued again") { store in
      let drafts = [ResourceDraft(url: "u", mirrors: ["http://m/1"], expectedByteCount: 5)]
      let id = try resources(drafts, in: store)[0].id
      for change in [
        ResourceChange.failed(id, reason: "r", pages: []), .queuedAgain(id, mustReload: true),
        .requeued(id, reason: nil),
      ] {
        try store.apply([change])
        #expect(try store.resource(id)?.mirrors == ["http://m/1"])
        #expect(try store.resource(id)?.expectedByteCount == 5)
      }
    },
  ]

  /// Adds the drafts as a record, and reads them.
  private static func resources(
    _ drafts: [ResourceDraft], in store: any LibraryStore
  ) throws -> [Resource] {
    let source = try store.beginSource(SourceDraft(key: "k", location: ""))
    let record = try store.appendRecord(RecordDraft(source: source, title: "t", folder: "f"))
    try store.appendResources(drafts, to: record)
    try store.completeSource(source)
    return try store.resources(of: record, offset: 0, limit: 999)
  }
}
