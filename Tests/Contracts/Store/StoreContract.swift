public import Persistence
import TestSupport
public import Testing

/// One sentence of the port's documentation and how to see that a store keeps it.
public struct StoreRule: Sendable, CustomTestStringConvertible {
  public let name: String
  let check: @Sendable (any LibraryStore) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (any LibraryStore) async throws -> Void) {
    self.name = name
    self.check = check
  }

  public var testDescription: String { name }

  /// Checks the rule on an empty store, which must be sound and is closed afterwards.
  public func check(_ opening: any StoreOpening) async throws {
    let folder = try TemporaryFolder()
    let store = try await opening.open(folder: folder.path)
    try await check(store)
    do {
      #expect(try await store.reader.integrityProblems() == [])
    } catch {
      // A rule about closing.
      #expect(error.code == .closed)
    }
    await store.closeWithReader()
  }
}

/// What every store keeps to, rule by rule.
public enum StoreContract {
  public static let rules =
    sources + records + standaloneRecord + resources + mirrors + order + changes + requeueing
    + named
    + files + queue + caches + transactions + readers + life
}
