import Foundation
import SystemCalls
import TestSupport

/// The examples of `API.md`: lines that begin with `$ `, each with what it printed.
struct Transcript {
  struct Call {
    /// As it is typed.
    let line: String
    let method: String
    /// Path and query.
    let target: String
    /// What the page says comes.
    let expected: String
  }

  static let path = APIDescription.folder + "/API.md"

  let calls: [Call]

  init() throws {
    let text = String(decoding: try FileSystem.contents(of: Self.path), as: UTF8.self)
    var calls: [Call] = []
    for part in text.components(separatedBy: "```console\n$ ").dropFirst() {
      let block = part.components(separatedBy: "```")[0]
      let lines = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let line = String(lines[0])
      let expected = lines.count > 1 ? String(lines[1]) : ""
      calls.append(
        Call(
          line: line, method: Self.method(line), target: Self.target(line), expected: expected))
    }
    self.calls = calls
  }

  /// The page with other outputs.
  static func rewrite(_ outputs: [String]) throws {
    let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
    var parts = text.components(separatedBy: "```console\n$ ")
    for (index, output) in outputs.enumerated() {
      let block = parts[index + 1].components(separatedBy: "```")
      let line = block[0].split(separator: "\n", omittingEmptySubsequences: false)[0]
      parts[index + 1] =
        "\(line)\n\(output)```" + block.dropFirst().joined(separator: "```")
    }
    try FileSystem.replace(path, with: parts.joined(separator: "```console\n$ "))
  }

  private static func method(_ line: String) -> String {
    if let range = line.firstRange(of: "-X ") {
      return String(line[range.upperBound...].prefix { $0 != " " })
    }
    return line.contains(" -d ") ? "POST" : "GET"
  }

  private static func target(_ line: String) -> String {
    guard let range = line.firstRange(of: "http://localhost") else { return "" }
    return String(line[range.upperBound...].prefix { $0 != " " && $0 != "'" })
  }
}
