import Foundation
import Manifests
import Testing

@Suite(
  "A list of a million URLs",
  .enabled(
    if: ProcessInfo.processInfo.environment["IMGDL_LONG"] != nil, "runs when IMGDL_LONG is set"))
struct LargeManifestTests {
  @Test("It is read in the memory of one chunk")
  func million() throws {
    var parser = ManifestParser(name: "million.json")
    var items: [ManifestItem] = []
    var largest = 0
    let before = try Self.residentBytes()
    for block in 0..<1000 {
      let first = block * 1000
      let text = (first..<first + 1000).map(Self.element).joined() + (block == 999 ? "]" : "")
      try parser.receive(Array(text.utf8).span.bytes, into: &items)
      largest = max(largest, items.count)
      items.removeAll(keepingCapacity: true)
    }
    try parser.finish(into: &items)
    #expect(parser.entryCount == 1_000_000)
    #expect(parser.problemCount == 0)
    #expect(largest <= 1010)
    #expect(try Self.residentBytes() - before < 32 << 20)
  }

  private static func element(_ index: Int) -> String {
    (index == 0 ? "[" : ",\n")
      + "\"https://images.example.org/collections/2024/landscape/photograph-\(index).jpg?w=1024\""
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return try #require(pages) * 4096
  }
}
