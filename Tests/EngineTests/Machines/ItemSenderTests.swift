import Manifests
import Models
import Testing

@testable import Engine

/// The bounds of the batches in which the entries of a document are sent.
@Suite struct ItemSenderTests {
  private static let mebibyte = 1 << 20

  private static func entry(
    _ index: Int, addressBytes: Int, mirrors: [String] = []
  ) throws -> ManifestItem {
    let address = "http://h/" + String(repeating: "x", count: addressBytes - 9)
    return .entry(
      ManifestEntry(url: try HTTPURL("http://h/"), address: address, mirrors: mirrors, index: index)
    )
  }

  /// Sends the items, without a final flush, and returns the numbers of entries of the messages.
  private func counts(_ items: [ManifestItem]) async throws -> [Int] {
    let channel = ImportChannel()
    var sender = ItemSender(channel)
    try sender.send(items)
    channel.endMessages()
    var counts: [Int] = []
    for await message in channel.messages {
      if case .entries(let entries) = message { counts.append(entries.count) }
    }
    return counts
  }

  @Test("Entries are sent when their URLs have 8 MiB, however few they are")
  func bytes() async throws {
    let seven = try (0..<7).map { try Self.entry($0, addressBytes: Self.mebibyte) }
    #expect(try await counts(seven) == [])
    #expect(try await counts(seven + [Self.entry(7, addressBytes: Self.mebibyte - 1)]) == [])
    #expect(try await counts(seven + [Self.entry(7, addressBytes: Self.mebibyte)]) == [8])
    let eight = seven + [try Self.entry(7, addressBytes: Self.mebibyte)]
    #expect(try await counts(eight + eight + seven) == [8, 8])
  }

  @Test("The URLs of mirrors count as well")
  func mirrors() async throws {
    let mirrors = (0..<8).map { "http://m\($0)/" + String(repeating: "y", count: Self.mebibyte) }
    let small = try Self.entry(0, addressBytes: 20)
    #expect(
      try await counts([small, Self.entry(1, addressBytes: 20, mirrors: mirrors), small]) == [2])
  }

  @Test("The bound holds for the entries of all records together")
  func records() async throws {
    let items = try (0..<8).flatMap { number in
      [
        ManifestItem.record(title: "record", key: number.isMultiple(of: 2) ? "a" : "b"),
        try Self.entry(number, addressBytes: Self.mebibyte),
      ]
    }
    #expect(try await counts(items) == [4, 4])
  }
}
