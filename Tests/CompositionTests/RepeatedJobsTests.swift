import Engine
import Foundation
import Composition
import LibraryAPI
import Models
import SystemCalls
import Testing

/// Memory and descriptors are given back (LZ4): the same job again and again in one process.
@Suite struct RepeatedJobsTests {
  static let isLong = ProcessInfo.processInfo.environment["IMGDL_LONG"] != nil

  /// A library with an engine, a job, and everything away again.
  private func job(_ bench: Bench) async throws {
    var settings = Settings()
    settings.rendering.workers = 1
    settings.durability = .relaxed
    let engine = try await LibraryOpener.openEngine(at: bench.library, settings: settings)
    let result = try await bench.add(to: engine)
    for record in result.records { try await engine.remove(record) }
    try await engine.reset()
    await engine.stop()
  }

  private static var descriptors: Int {
    get throws { try FileSystem.list("/proc/self/fd").count }
  }

  /// Pages of memory that are ours.
  private static var residentBytes: Int {
    get throws {
      let text = String(
        decoding: try FileSystem.contents(of: "/proc/self/statm"), as: UTF8.self)
      return (Int(text.split(separator: " ")[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
  }

  @Test(
    "a thousand identical jobs leave no descriptor and no memory behind",
    .enabled(if: isLong, "set IMGDL_LONG"))
  func thousand() async throws {
    let bench = try Bench(keepsLog: false)
    try bench.serveCollection()
    var memory: [Int] = []
    var descriptors: [Int] = []
    for number in 1...1_000 {
      try await job(bench)
      guard number % 100 == 0 else { continue }
      memory.append(try Self.residentBytes)
      descriptors.append(try Self.descriptors)
    }
    print("1,000 jobs: \(memory.map { $0 >> 10 }) KiB and \(descriptors) descriptors at each 100")
    // The first hundreds fill caches and pools.
    let growth = Double(memory[9] - memory[2]) / Double(memory[2])
    print("grown by \((growth * 1_000).rounded() / 10) % from 300 to 1,000")
    #expect(descriptors[9] <= descriptors[1])
    #expect(growth < 0.02)
  }

  @Test("the end of an engine leaves no descriptor behind")
  func descriptors() async throws {
    let bench = try Bench()
    try bench.serveCollection()
    try await job(bench)
    #expect(try await Self.remainingTargets(below: bench.library) == [])
    for _ in 0..<10 { try await job(bench) }
    #expect(try await Self.remainingTargets(below: bench.library) == [])
  }

  /// Waits until the last tasks of an engine, which hold its folders, have been released.
  private static func remainingTargets(below folder: String) async throws -> [String] {
    for _ in 0..<100_000 {
      guard try !targets(below: folder).isEmpty else { return [] }
      await Task.yield()
    }
    return try targets(below: folder)
  }

  /// Open files of a folder: other tests run beside this one.
  private static func targets(below folder: String) throws -> [String] {
    try FileSystem.list("/proc/self/fd").compactMap {
      try? FileSystem.linkTarget("/proc/self/fd/\($0.name)")
    }.filter { $0.hasPrefix(folder) }
  }
}
