import Dispatch
import Glibc
import LibraryAPI
import Models
import Persistence
import PersistenceMemory
import Synchronization
import SystemCalls
import Testing
import TestSupport
import Verification
@testable import Engine

/// Every bad file is found and told once; what can be cured is queued again with the reason.
@Suite struct VerifierTests {
  @Test("an intact library has no findings, and every file and byte is checked")
  func sound() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", (1...5).map { Shelf.bytes($0) })
    try await shelf.add("b", [[], Shelf.bytes(6, 3_000_000)])
    let quick = try await shelf.verify()
    #expect(quick.report.isSound)
    #expect(quick.found.isEmpty)
    #expect(quick.report.files == 7 && quick.report.bytes == 0)
    let whole = try await shelf.verify(readsData: true)
    #expect(whole.report.isSound)
    #expect(whole.report.files == 7 && whole.report.bytes == 3_000_500)
  }

  @Test("missing, short, changed and replaced files are reported with their reasons")
  func kinds() async throws {
    let shelf = try Shelf()
    let resources = try await shelf.add("a", (1...6).map { Shelf.bytes($0) })
    try FileSystem.remove(shelf.path("a/1.bin"))
    try shelf.write("a/2.bin", Shelf.bytes(2, 60))
    try shelf.flip("a/3.bin")
    try FileSystem.remove(shelf.path("a/4.bin"))
    try FileSystem.makeFolders(shelf.path("a/4.bin"))
    try FileSystem.remove(shelf.path("a/5.bin"))
    symlink(shelf.path("a/6.bin"), shelf.path("a/5.bin"))

    let quick = try await shelf.verify()
    #expect(
      quick.found.map(\.problem) == [
        .missing, .wrongSize(60), .notAFile(.folder), .notAFile(.link),
      ])
    let whole = try await shelf.verify(readsData: true)
    #expect(whole.found.map(\.resource.id) == resources[..<5].map(\.id))
    #expect(
      whole.found.map(\.reason) == [
        "the file is missing", "the file has 60 bytes, not 100",
        "the content of the file differs from the download",
        "a folder is at the path of the file", "a symbolic link is at the path of the file",
      ])
    #expect(whole.report.missing == 1 && whole.report.damaged == 2 && whole.report.notAFile == 2)
    #expect(whole.report.requeued == 0)
    #expect(try await shelf.states() == Array(repeating: .finished, count: 6), "only told")
  }

  @Test(
    "files behind a symbolic link are not changed, and are reported until the folder is back",
    arguments: [false, true])
  func linkedFolder(readsData: Bool) async throws {
    let shelf = try Shelf()
    try await shelf.add("a", (1...3).map { Shelf.bytes($0) })
    try await shelf.add("b", [Shelf.bytes(4)])
    try FileSystem.rename(shelf.path("a"), to: shelf.path("elsewhere"))
    symlink(shelf.path("elsewhere"), shelf.path("a"))
    for _ in 1...2 {
      let result = try await shelf.verify(readsData: readsData, requeues: true)
      #expect(result.report.files == 4 && result.report.unreadable == 3)
      #expect(result.report.requeued == 0 && !result.report.isSound)
      let reason =
        "the file cannot be reached: \(shelf.path("a")) is a symbolic link; links inside a library "
        + "are not followed"
      #expect(result.found.map(\.reason) == Array(repeating: reason, count: 3))
    }
    #expect(try await shelf.states() == Array(repeating: .finished, count: 4))
    try FileSystem.remove(shelf.path("a"))
    try FileSystem.rename(shelf.path("elsewhere"), to: shelf.path("a"))
    #expect(try await shelf.verify(readsData: true, requeues: true).report.isSound)
  }

  @Test("damaged files are queued with the reason, and their rows have no file")
  func requeueing() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", (1...4).map { Shelf.bytes($0) })
    try FileSystem.remove(shelf.path("a/1.bin"))
    try shelf.flip("a/2.bin")
    try FileSystem.remove(shelf.path("a/3.bin"))
    try FileSystem.makeFolders(shelf.path("a/3.bin/inner"))
    let result = try await shelf.verify(readsData: true, requeues: true)
    #expect(result.report.requeued == 3)
    #expect(!result.found.contains { !$0.isRequeued })
    #expect(try await shelf.states() == [.queued, .queued, .queued, .finished])
    let first = try #require(try await shelf.store.resource(result.found[0].resource.id))
    #expect(first.file == nil && first.reason == "the file is missing" && first.attempts == 0)
    // A folder is not ours to delete, but has to make way.
    #expect(result.found[2].setAside == shelf.path("a/3.bin.aside"))
    #expect(FileSystem.exists(shelf.path("a/3.bin.aside/inner")))
    #expect(!FileSystem.exists(shelf.path("a/3.bin")))
    let again = try await shelf.verify(readsData: true, requeues: true)
    #expect(again.report.isSound && again.report.files == 1, "what is queued has no file")
    #expect(again.report.undownloaded == 3 && result.report.undownloaded == 0)
  }

  @Test("a named pipe instead of a file is reported at once, without waiting for it")
  func pipe() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", [Shelf.bytes(1)])
    try FileSystem.remove(shelf.path("a/1.bin"))
    #expect(mkfifo(shelf.path("a/1.bin"), 0o600) == 0)
    let result = try await shelf.verify(readsData: true, requeues: true)
    #expect(result.found.map(\.problem) == [.notAFile(.pipe)])
    #expect(result.report.requeued == 1)
  }

  @Test(
    "damage to a file with several names is reported once, with all of them",
    arguments: [true, false])
  func twins(_ requeues: Bool) async throws {
    let shelf = try Shelf()
    let content = Shelf.bytes(1)
    let a = try await shelf.add("a", [content, Shelf.bytes(2), content])
    let b = try await shelf.add("b", [content])
    try await shelf.add("c", [content])
    try shelf.link("a/1.bin", as: "a/3.bin")
    try shelf.link("a/1.bin", as: "b/1.bin")
    try shelf.flip("a/1.bin")
    let result = try await shelf.verify(readsData: true, requeues: requeues)
    #expect(result.found.count == 1)
    #expect(result.found.first?.resource.id == a[0].id)
    #expect(Set(result.found.first?.duplicates.map(\.resource) ?? []) == [a[2].id, b[0].id])
    #expect(result.report.damaged == 3)
    #expect(result.report.requeued == (requeues ? 3 : 0))
    // The copy with bytes of its own is whole.
    let expected: [ResourceState] =
      requeues
      ? [.queued, .finished, .queued, .queued, .finished] : Array(repeating: .finished, count: 5)
    #expect(try await shelf.states() == expected)
  }

  @Test("a missing file with links is missing alone")
  func missingTwin() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", [Shelf.bytes(1)])
    try await shelf.add("b", [Shelf.bytes(1)])
    try shelf.link("a/1.bin", as: "b/1.bin")
    try FileSystem.remove(shelf.path("a/1.bin"))
    let result = try await shelf.verify(readsData: true, requeues: true)
    #expect(result.found.map(\.duplicates.count) == [0])
    #expect(try await shelf.states() == [.queued, .finished])
  }

  @Test("a file with several names is read once")
  func readOnce() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", Array(repeating: Shelf.bytes(1, 1_000), count: 9))
    for number in 2...9 { try shelf.link("a/1.bin", as: "a/\(number).bin") }
    let result = try await shelf.verify(readsData: true)
    #expect(result.report.isSound && result.report.files == 9 && result.report.bytes == 1_000)
  }

  @Test("a failed resource's file is checked; one that is being committed is not")
  func states() async throws {
    let shelf = try Shelf()
    let resources = try await shelf.add("a", (1...4).map { Shelf.bytes($0) })
    let file = try #require(resources[3].file)
    try shelf.store.apply(
      [
        .failed(resources[0].id, reason: "cannot be shown", pages: []),
        .requeued(resources[1].id, reason: nil), .stored(resources[3].id, file),
      ])
    for number in 1...4 { try FileSystem.remove(shelf.path("a/\(number).bin")) }
    let result = try await shelf.verify()
    #expect(result.found.map(\.resource.id) == [resources[0].id, resources[2].id])
  }

  @Test("a file that an engine replaces during the check is not damaged")
  func replaced() async throws {
    let shelf = try Shelf()
    let resources = try await shelf.add("a", (1...2).map { Shelf.bytes($0) })
    let store = shelf.store
    let id = resources[0].id
    var file = try #require(resources[0].file)
    file.byteCount = 50
    let newFile = file
    // In place already; its row comes between the look and the judgement.
    try shelf.write("a/1.bin", Shelf.bytes(9, 50))
    let isChanged = Mutex(false)
    let verifier = LibraryVerifier(
      layout: shelf.layout, store: store, requeue: { try shelf.requeue($0, $1) })
    let report = try await verifier.run(
      progress: { _ in
        guard isChanged.withLock({ exchange(&$0) }) else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
          try store.apply(
            [.stored(id, newFile), .finished(id, pages: [], reason: nil)])
          done.signal()
        }
        done.wait()
      })
    #expect(report.isSound && isChanged.withLock { $0 })
    #expect(try await shelf.states() == [.finished, .finished])
  }

  @Test("pages of a long list are all checked, in the order of the list")
  func paging() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", (1...2_345).map { Shelf.bytes($0, 3) })
    let bad = [1, 1_000, 1_001, 2_000, 2_345]
    for number in bad { try FileSystem.remove(shelf.path("a/\(number).bin")) }
    let result = try await shelf.verify(requeues: true)
    #expect(result.report.files == 2_345)
    #expect(result.found.map(\.resource.index) == bad)
  }

  @Test("progress increases to the totals")
  func progress() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", [Shelf.bytes(1, 2_500_000), Shelf.bytes(2)])
    let told = Watched<[VerifyProgress]>([])
    _ = try await LibraryVerifier(layout: shelf.layout, store: shelf.store).run(
      readingData: true, progress: { progress in told.update { $0.append(progress) } })
    let last = try #require(told.value.last)
    #expect(last.files == 2 && last.totalFiles == 2)
    #expect(last.bytes == 2_500_100 && last.totalBytes == 2_500_100)
    #expect(told.value.count > 4, "told within a large file")
    #expect(zip(told.value, told.value.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
  }

  @Test("a cancelled task ends the reading of a large file")
  func cancelling() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", [Shelf.bytes(1, 8 << 20)])
    let verifier = LibraryVerifier(layout: shelf.layout, store: shelf.store)
    let last = Watched(VerifyProgress())
    let begun = Gate()
    let goOn = DispatchSemaphore(value: 0)
    let task = Task {
      try await verifier.run(
        readingData: true,
        progress: { progress in
          last.update { $0 = progress }
          begun.open()
          goOn.wait()
        })
    }
    try await begun.pass()
    task.cancel()
    goOn.signal()
    await #expect(throws: LibraryError(.interrupted, "")) { try await task.value }
    #expect(last.value.bytes == 1 << 20, "no more was read")
  }

  @Test(
    "a file without permissions is reported, and not downloaded again",
    .enabled(if: getuid() != 0, "root may read everything"))
  func permissions() async throws {
    let shelf = try Shelf()
    try await shelf.add("a", [Shelf.bytes(1)])
    chmod(shelf.path("a/1.bin"), 0)
    let result = try await shelf.verify(readsData: true, requeues: true)
    #expect(result.report.unreadable == 1 && result.report.requeued == 0)
  }
}

/// Sets it.
/// - Returns: whether it was not set.
private func exchange(_ flag: inout Bool) -> Bool {
  defer { flag = true }
  return !flag
}
