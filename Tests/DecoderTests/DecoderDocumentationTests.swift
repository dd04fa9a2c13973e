import Decoding
import Models
import Rendering
import SystemCalls
import Testing

/// The tables of the documentation against the descriptors, which are the only list of decoders.
@Suite("The documentation of decoders") struct DecoderDocumentationTests {
  private static let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// The cells of the lines of a table, as they are written.
  private func rows(_ path: String) throws -> [[String]] {
    let bytes = try FileSystem.contents(of: "\(Self.folder)/\(path)")
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("|") }
      .map { line in
        line.split(separator: "|").map {
          String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
      }
  }

  /// The words in backquotes that are names of decoders.
  private func decoders(in cell: String) -> [String] {
    let names = Set(DecoderContractTests.descriptors.map(\.name))
    let words = cell.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return words.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      .filter(names.contains)
  }

  @Test("says of each format who decodes it, in the order in which they are asked")
  func formats() throws {
    var told: [ResourceFormat: [String]] = [:]
    for cells in try rows("Documentation/Rendering.md") where cells.count == 3 {
      for name in cells[0].split(separator: ",").map({ $0.drop { $0 == " " } }) {
        guard let format = ResourceFormat.allCases.first(where: { $0.displayName == name }) else {
          continue
        }
        let decoders = decoders(in: cells[1])
        if !decoders.isEmpty { told[format] = decoders }
      }
    }
    var actual: [ResourceFormat: [String]] = [:]
    for descriptor in DecoderContractTests.descriptors {
      for format in descriptor.summary.formats {
        actual[format, default: []].append(descriptor.name)
      }
    }
    #expect(told == actual)
  }

  @Test("names each decoder where it lists the adapters")
  func adapters() throws {
    let names = DecoderContractTests.descriptors.map(\.name)
    let page = try rows("Documentation/Architecture.md")
    let row = try #require(page.first { $0.first?.contains("decoder") == true })
    #expect(Set(decoders(in: row.joined(separator: "|"))) == Set(names))
  }
}
