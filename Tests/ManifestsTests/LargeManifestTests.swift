import Foundation
import Manifests
import Testing

@Suite(
  "A list of a million URLs",
  .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["IMGDL_LONG"] != nil, "runs when IMGDL_LONG is set"))
struct LargeManifestTests {
  enum Form: CaseIterable {
    case json, csv, aria2, messages, messageLines

    func element(_ index: Int) -> String {
      let url =
        "https://images.example.org/collections/2024/landscape/photograph-\(index).jpg?w=1024"
      return switch self {
      case .json: (index == 0 ? "[" : ",\n") + "\"\(url)\""
      case .csv:
        (index == 0 ? "url,caption,name\n" : "") + "\(url),\"A photo, \(index)\",\(index).jpg\n"
      case .aria2: "\(url)\thttps://mirror.example.org/\(index)\n out=\(index).jpg\n dir=Photos\n"
      case .messages: (index == 0 ? "[" : ",\n") + Self.message(url, index)
      case .messageLines: Self.message(url, index) + "\n"
      }
    }

    private static func message(_ url: String, _ index: Int) -> String {
      "[3, \"\(url)\", {\"filename\": \"\(index)\", \"extension\": \"jpg\", \"tags\": [\"a\", \"b\"]}]"
    }

    var end: String { self == .json || self == .messages ? "]" : "" }
  }

  @Test("It is read in the memory of one chunk", arguments: Form.allCases)
  func million(form: Form) throws {
    var parser = ManifestParser(name: "million")
    var items: [ManifestItem] = []
    var largest = 0
    let before = try Self.residentBytes()
    for block in 0..<1000 {
      let first = block * 1000
      let text =
        (first..<first + 1000).map(form.element).joined() + (block == 999 ? form.end : "")
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

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return try #require(pages) * 4096
  }
}
