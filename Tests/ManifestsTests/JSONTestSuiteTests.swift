import Manifests
import Testing
import TestSupport

@Suite("JSONTestSuite as lists", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absent)))
struct JSONTestSuiteTests {
  private static let deep = "n_structure_100000_opening_arrays.json"

  private static func files(_ prefix: String = "") throws -> [(name: String, bytes: [UInt8])] {
    let folder = "jsontestsuite/test_parsing"
    return try Corpus.files(in: folder, withExtension: "json")
      .filter { $0.hasPrefix(prefix) && $0 != deep }
      .map { ($0, try Corpus.bytes("\(folder)/\($0)")) }
  }

  @Test("Good JSON is read, unless it is not a list")
  func good() throws {
    for (name, bytes) in try Self.files("y_") {
      let reading = Reading(bytes, format: .json)
      #expect([nil, .shape].contains(reading.error?.code), "\(name)")
      #expect(reading.entryCount + reading.problemCount <= bytes.count)
    }
  }

  @Test("Bad JSON is refused")
  func bad() throws {
    for (name, bytes) in try Self.files("n_") {
      let reading = Reading(bytes, format: .json)
      #expect(reading.error != nil, "\(name)")
      #expect(reading.entryCount + reading.problemCount <= bytes.count)
    }
  }

  @Test("With its form left open, every text gives the same list however it is cut")
  func recognised() throws {
    for (name, bytes) in try Self.files() {
      let cut = Reading(bytes, chunks: Array(repeating: 1, count: bytes.count))
      #expect(cut == Reading(bytes), "\(name)")
    }
  }
}
