import Manifests
import Models
import Persistence
import Testing
@testable import Engine

/// A list that is read again beside the resources of its record.
@Suite struct RecordComparisonTests {
  private static func resource(
    _ id: Int64, _ url: String, mirrors: [String] = [], bytes: Int64? = nil,
    state: ResourceState = .finished
  ) -> Resource {
    Resource(
      id: ResourceID(id), record: RecordID(1), index: Int(id), url: url, mirrors: mirrors,
      expectedByteCount: bytes, state: state)
  }

  private static func entry(
    _ url: String, mirrors: [String] = [], bytes: Int64? = nil, isBinding: Bool = true
  ) throws -> ManifestEntry {
    ManifestEntry(
      url: try HTTPURL(url), byteCount: bytes, isByteCountBinding: isBinding, mirrors: mirrors,
      index: 0)
  }

  private func compare(
    _ entries: [ManifestEntry], _ resources: [Resource], isWhole: Bool = false
  ) -> RecordComparison {
    var naming = RequestNaming(common: HTTPFields())
    var comparison = RecordComparison(entries, isWhole: isWhole) {
      naming.name($0, $1, isPublic: true).request
    }
    comparison.add(resources)
    comparison.finish()
    return comparison
  }

  @Test("New entries are new once, and mirrors change only where they differ")
  func changes() throws {
    let comparison = compare(
      [
        try Self.entry("http://h/1", mirrors: ["http://m/1"]),
        try Self.entry("http://h/2", mirrors: ["http://m/2"], bytes: 7),
        try Self.entry("http://h/3"), try Self.entry("http://h/4", bytes: 9, isBinding: false),
        try Self.entry("http://h/5"), try Self.entry("http://H:80/5"),
      ],
      [
        Self.resource(1, "http://h/1", mirrors: ["http://m/1"]),
        Self.resource(2, "http://h/2", state: .queued),
        Self.resource(3, "http://h/3", mirrors: ["http://m/3"], bytes: 3),
        Self.resource(4, "http://h/4"),
      ])
    #expect(comparison.new.map(\.address) == ["http://h/5"])
    #expect(
      comparison.changes == [
        .mirrored(ResourceID(2), mirrors: ["http://m/2"], byteCount: 7),
        .mirrored(ResourceID(3), mirrors: [], byteCount: nil),
      ])
    #expect(comparison.changedWaiting { _ in false } == [ResourceID(2)])
    #expect(comparison.changedWaiting { _ in true } == [])
  }

  @Test("Sizes change where they differ, also without mirrors, and hints are no sizes")
  func sizes() throws {
    let comparison = compare(
      [
        try Self.entry("http://h/1", bytes: 7), try Self.entry("http://h/2", bytes: 7),
        try Self.entry("http://h/3", bytes: 7), try Self.entry("http://h/4"),
        try Self.entry("http://h/5", bytes: 7, isBinding: false),
        try Self.entry("http://h/6", bytes: 7, isBinding: false),
      ],
      [
        Self.resource(1, "http://h/1"), Self.resource(2, "http://h/2", bytes: 7),
        Self.resource(3, "http://h/3", bytes: 8, state: .queued),
        Self.resource(4, "http://h/4", bytes: 7), Self.resource(5, "http://h/5"),
        Self.resource(6, "http://h/6", bytes: 7),
      ])
    #expect(
      comparison.changes == [
        .mirrored(ResourceID(1), mirrors: [], byteCount: 7),
        .mirrored(ResourceID(3), mirrors: [], byteCount: 7),
        .mirrored(ResourceID(4), mirrors: [], byteCount: nil),
        .mirrored(ResourceID(6), mirrors: [], byteCount: nil),
      ])
    #expect(comparison.changedWaiting { _ in false } == [ResourceID(3)])
  }

  @Test("Checksums of known resources change where they differ, also those of repeated URLs")
  func checksums() throws {
    let sums = (1...2).compactMap { Checksum([UInt8](repeating: $0, count: 16)) }
    func entry(_ number: Int, _ checksum: Checksum?) throws -> ManifestEntry {
      ManifestEntry(url: try HTTPURL("http://h/\(number)"), checksum: checksum, index: 0)
    }
    func resource(_ id: Int64, _ number: Int, _ checksum: Checksum?) -> Resource {
      var resource = Self.resource(id, "http://h/\(number)", state: .queued)
      resource.expectedChecksum = checksum
      return resource
    }
    let comparison = compare(
      [try entry(1, sums[0]), try entry(2, sums[1]), try entry(3, nil), try entry(4, sums[0])],
      [
        resource(1, 1, sums[0]), resource(2, 2, sums[0]), resource(3, 2, nil),
        resource(4, 3, sums[0]), resource(5, 5, sums[0]),
      ])
    #expect(comparison.new.map(\.address) == ["http://h/4"])
    #expect(
      comparison.changes == [
        .expecting(ResourceID(2), sums[1]), .expecting(ResourceID(3), sums[1]),
        .expecting(ResourceID(4), nil),
      ])
    #expect(comparison.changedWaiting { _ in false }.map(\.rawValue) == [2, 3, 4])
  }

  @Test("An entry whose URL and mirror have changed places is not new")
  func priorities() throws {
    let resource = Self.resource(1, "http://h/1", mirrors: ["http://m/1"])
    let swapped = compare(
      [try Self.entry("http://m/1", mirrors: ["http://n/1", "http://h/1"])], [resource])
    #expect(swapped.new.isEmpty)
    #expect(
      swapped.changes == [
        .mirrored(ResourceID(1), mirrors: ["http://m/1", "http://n/1"], byteCount: nil)
      ])
    // Another content may name a known URL as its mirror.
    let other = compare([try Self.entry("http://x/1", mirrors: ["http://h/1"])], [resource])
    #expect(other.new.map(\.address) == ["http://x/1"] && other.changes.isEmpty)
  }

  @Test("The new entries after those of the record are told from the others")
  func continued() throws {
    let resources = [Self.resource(1, "http://h/1"), Self.resource(2, "http://h/2")]
    for (list, preceding, following) in [
      ([1, 2, 3, 4, 3], [], [3, 4]), ([2, 3], [], [3]), ([3, 1, 2], [3], []), ([1, 3, 2], [3], []),
      ([3], [3], []), ([3, 1, 4, 2, 5], [3, 4], [5]), ([1], [], []), ([], [], []),
    ] as [([Int], [Int], [Int])] {
      let comparison = compare(try list.map { try Self.entry("http://h/\($0)") }, resources)
      #expect(comparison.preceding.map(\.address) == preceding.map { "http://h/\($0)" }, "\(list)")
      #expect(comparison.following.map(\.address) == following.map { "http://h/\($0)" }, "\(list)")
    }
  }

  @Test(
    "A URL that took the place of one with another signature is a new URL of its resource",
    arguments: [
      ("/a?Expires=1&Signature=x", "/a?Expires=2&Signature=y", true),
      ("/a?expires=1&signature=x&w=9", "/a?w=9&expires=2&signature=y", true),
      ("/a?X-Amz-Date=1&X-Amz-Signature=x", "/a?X-Amz-Date=2&X-Amz-Signature=y", true),
      ("/a?X-Goog-Signature=x", "/a?X-Goog-Date=1&X-Goog-Signature=y", true),
      ("/a?Policy=p&Signature=x&Key-Pair-Id=k", "/a?Policy=q&Signature=y&Key-Pair-Id=l", true),
      ("/a?sv=1&se=2&sig=x", "/a?sv=1&se=3&sig=y", true),
      ("/a?token=1&id=7", "/a?token=2&id=7", true), ("/a?token=1", "/a", false),
      ("/a", "/a?token=1", false), ("/a?id=7", "/a?id=8", false),
      ("/a?id=7&sig=x", "/a?id=8&sig=x", false), ("/a?sig=x", "/b?sig=x", false),
      ("/a?st=1", "/a?st=2", false), ("/a?policy=1", "/a?policy=2", false),
      ("/a?sig=x", "/a?token=x", false), ("/a?sig=x", "//i/a?sig=y", false),
    ])
  func signatures(old: String, new: String, isSame: Bool) throws {
    func url(_ text: String) -> String {
      text.hasPrefix("//") ? "http:\(text)" : "http://h\(text)"
    }
    let (entry, resource) = (try Self.entry(url(new)), Self.resource(1, url(old)))
    let whole = compare([entry], [resource], isWhole: true)
    #expect(whole.new.isEmpty == isSame)
    #expect(whole.changes == (isSame ? [.relocated(ResourceID(1), url: url(new))] : []))
    // What a part of a list does not have has not vanished from it.
    #expect(compare([entry], [resource]).new.count == 1)
    // A URL that the list still has is not replaced.
    let both = compare([entry, try Self.entry(url(old))], [resource], isWhole: true)
    #expect(both.new.count == 1 && both.changes.isEmpty)
  }

  @Test("Several URLs that differ in their signatures only are told apart by nothing, and are new")
  func ambiguousSignatures() throws {
    let urls = (1...4).map { "http://h/a?sig=\($0)" }
    for (old, new) in [([0, 1], [2]), ([0], [1, 2]), ([0, 1], [2, 3]), ([0, 1], [0, 2, 3])] {
      let comparison = compare(
        try new.map { try Self.entry(urls[$0]) },
        old.map { Self.resource(Int64($0), urls[$0]) }, isWhole: true)
      #expect(comparison.changes.isEmpty && comparison.new.count == Set(new).subtracting(old).count)
    }
  }

  @Test("What has failed or waits with an old signature is tried with the new one")
  func failedWithOldSignature() throws {
    let resources = [
      Self.resource(1, "http://h/1?sig=a", state: .failed),
      Self.resource(2, "http://h/2?sig=a", bytes: 3, state: .queued),
      Self.resource(3, "http://h/3?sig=a"),
    ]
    let comparison = compare(
      try (1...4).map { try Self.entry("http://h/\($0)?sig=b") }, resources, isWhole: true)
    #expect(
      comparison.changes == [
        .relocated(ResourceID(1), url: "http://h/1?sig=b"),
        .queuedAgain(ResourceID(1), mustReload: false),
        .relocated(ResourceID(2), url: "http://h/2?sig=b"),
        .mirrored(ResourceID(2), mirrors: [], byteCount: nil),
        .relocated(ResourceID(3), url: "http://h/3?sig=b"),
      ])
    #expect(comparison.retriedCount == 1 && comparison.changedWaiting { _ in false }.count == 1)
    #expect(comparison.following.map(\.address) == ["http://h/4?sig=b"])
    #expect(comparison.hasAllKnown && comparison.endsWithNew)
  }

  @Test("A list tells whether it has all known resources, and whether it ends with a new one")
  func extent() throws {
    let resources = [
      Self.resource(1, "http://h/1"), Self.resource(2, "http://h/2", mirrors: ["http://m/2"]),
    ]
    for (list, hasAllKnown, endsWithNew) in [
      ([1, 2], true, false), ([2, 1, 3], true, true), ([3, 1], false, false), ([3], false, true),
      ([3, 1, 3], false, true), ([1, 1], false, false), ([], false, false),
    ] as [([Int], Bool, Bool)] {
      let comparison = compare(try list.map { try Self.entry("http://h/\($0)") }, resources)
      #expect(comparison.hasAllKnown == hasAllKnown, "\(list)")
      #expect(comparison.endsWithNew == endsWithNew, "\(list)")
    }
    let mirrored = try [
      Self.entry("http://h/1"), Self.entry("http://m/2", mirrors: ["http://h/2"]),
    ]
    #expect(compare(mirrored, resources).hasAllKnown)
  }
}
