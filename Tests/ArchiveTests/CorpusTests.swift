import Archive
import Foundation
import Models
import SystemCalls
import TestSupport
import Testing

/// Archives that others made, through both adapters below the policy.
@Suite("Archives of others", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct CorpusTests {
  /// Where the adapters may disagree, and why.
  private static let explained: [String: String] = [
    "go-archive-zip/test-badbase.zip": early,
    "go-archive-zip/zip64-2.zip": zip64,
    "go-archive-zip/zip64.zip": zip64,
    "yauzl/failure/absolute path C xt.zip": localName,
    "yauzl/failure/absolute path atxt.zip": localName,
    "yauzl/failure/extra field length exceeds extra field buffer size.zip":
      "minizip does not look at the fields it does not need",
    "yauzl/failure/invalid central directory file header signature 0x1014b50.zip": early,
    "yauzl/failure/invalid characters in fileName a txt.zip": localName,
    "yauzl/failure/invalid local file header signature 0x3034b50.zip":
      "libarchive cannot go on after a broken local header",
    "yauzl/failure/invalid relative path xt.zip": localName,
    "yauzl/failure/unsupported compression method 1.zip":
      "libarchive goes by the method in the local header, which is right",
    "\(wideField) compressed size.zip": zip64,
    "\(wideField) relative header offset.zip": zip64,
    "yauzl/success/sloppy-filenames.zip": localName,
    "yauzl/success/unicode-path-extra-field.zip":
      "libarchive ends a name at the first zero byte, and that is its beginning",
    "yauzl/success/zip64.zip": zip64,
  ]

  private static let wideField =
    "yauzl/failure/zip64 extended information extra field does not include"
  private static let zip64 = "minizip 1.1 misses the wide sizes: refused, libarchive takes over"
  private static let localName =
    "minizip takes names from the directory, libarchive from the headers"
  private static let early =
    "libarchive reads the whole directory first, minizip entry by entry: one comes before the error"

  private static let files = Corpus.files(in: "zip", withExtension: "zip")

  @Test("Both adapters have the same verdict, or the difference is explained")
  func sameVerdicts() {
    var table: [String] = []
    for file in Self.files {
      let path = Corpus.path + "/zip/" + file
      let verdicts = ArchiveBackend.direct.map { Verdict(of: path, by: $0) }
      guard verdicts[0] != verdicts[1] else { continue }
      let reason = Self.explained[file]
      table.append(
        """
        \(file): \(reason ?? "NOT EXPLAINED")
            minizip:    \(verdicts[0])
            libarchive: \(verdicts[1])
        """)
      #expect(reason != nil, "\(file): \(verdicts[0]) / \(verdicts[1])")
    }
    print("\(Self.files.count) archives, \(table.count) with two verdicts:")
    for row in table { print("  " + row) }
    for file in Self.explained.keys where Self.files.contains(file) {
      let isListed = table.contains { $0.hasPrefix(file) }
      #expect(isListed, "\(file) has one verdict: take it from the list")
    }
    #expect(Self.files.count > 50)
  }

  @Test("Verdicts are those of the golden list; IMGDL_GOLDEN=write writes the list")
  func golden() throws {
    let lines = Self.files.flatMap { file in
      ArchiveBackend.direct.map { backend in
        let path = Corpus.path + "/zip/" + file
        let verdict = Verdict(of: path, by: backend)
        #expect(Verdict(of: path, by: backend.confined) == verdict, "\(file) in a worker")
        return "\(file)\t\(backend)\t\(verdict)"
      }
    }
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = folder.joined(separator: "/") + "/Golden/verdicts.txt"
    if Machine.environment("IMGDL_GOLDEN") == "write" {
      let text = lines.joined(separator: "\n") + "\n"
      try FileSystem.replace(
        path, with: Array(text.utf8).span.bytes, mode: 0o644, syncing: false)
    }
    let golden = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
    let (found, expected) = (Set(lines), Set(golden.split(separator: "\n").map(String.init)))
    for line in found.subtracting(expected).sorted() { Issue.record("new: \(line)") }
    for line in expected.subtracting(found).sorted() { Issue.record("not any more: \(line)") }
  }

  @Test("Mutations never crash, hang or go beyond the limits", arguments: ArchiveBackend.direct)
  func mutations(_ backend: ArchiveBackend) throws {
    let folder = try TemporaryFolder()
    let seed = Machine.environment("IMGDL_SEED").flatMap { UInt64($0) } ?? 1_993
    var generator = SeededGenerator(seed: seed)
    let rounds = Machine.environment("IMGDL_LONG") == nil ? 10 : 200
    var (whole, partly, refused) = (0, 0, 0)
    for file in Self.files {
      let data = try Data(contentsOf: URL(fileURLWithPath: Corpus.path + "/zip/" + file))
      // The large ones are mostly data of one kind.
      guard !data.isEmpty, data.count < 400_000 else { continue }
      for _ in 0..<rounds {
        var bytes = [UInt8](data)
        for _ in 0..<max(1, bytes.count / 200) {
          let index = Int.random(in: bytes.indices, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        let path = try folder.write("mutant.zip", bytes)
        let verdict = Verdict(of: path, by: backend)
        #expect(verdict.byteCount <= 10 << 20 || verdict.byteCount <= bytes.count * 200)
        if !verdict.isRefused {
          whole += 1
        } else if verdict.isEmpty {
          refused += 1
        } else {
          partly += 1
        }
      }
    }
    print(
      "figures: \(backend): \(whole + partly + refused) damaged archives: \(whole) read to the end, "
        + "\(partly) to the damage, \(refused) refused, seed \(seed)")
  }
}

/// What came out of an archive, in a form that can be compared and printed.
private struct Verdict: Equatable, CustomStringConvertible {
  private var entries: [String: String] = [:]
  private var failure: ArchiveError?
  private(set) var byteCount = 0

  init(of path: String, by backend: ArchiveBackend) {
    let collector = EntryCollector(goesOn: true)
    let reader = GuardedArchiveReader(backend.reader, policy: ArchivePolicy())
    do throws(ArchiveError) {
      try reader.walk(path, visitor: collector)
    } catch {
      failure = error
    }
    byteCount = collector.byteCount
    for entry in collector.entries {
      entries["\(entry.entry.index) \(entry.entry.name)"] =
        entry.fault.map { "\($0.code)" } ?? "\(entry.data.count):\(CRC32.checksum(entry.data))"
    }
  }

  /// The archive was not read to its end.
  var isRefused: Bool { failure != nil }
  /// No entry came out.
  var isEmpty: Bool { entries.isEmpty }

  static func == (a: Verdict, b: Verdict) -> Bool {
    a.failure?.code == b.failure?.code && a.entries == b.entries
  }

  var description: String {
    let list = entries.sorted { $0.key < $1.key }.prefix(4).map { "\($0.key) \($0.value)" }
    let printable = list.joined(separator: ", ").filter { $0.asciiValue ?? 32 >= 32 }
    return "\(entries.count) entries [\(printable)] "
      + (failure.map { "\($0.code): \($0)" } ?? "")
  }
}
