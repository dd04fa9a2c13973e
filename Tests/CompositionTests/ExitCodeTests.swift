import LibraryAPI
import ProgramSupport
import SystemCalls
import Testing

@Suite("Exit codes") struct ExitCodeTests {
  /// The rows `| 6 | disk full, … |` of `Documentation/CommandLine.md` below "Exit codes".
  private func documented() throws -> [Int32: String] {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = try String(
      decoding: FileSystem.contents(
        of: "/\(root)/Documentation/CommandLine.md", limit: 1 << 20), as: UTF8.self)
    let section = text.split(separator: "## Exit codes", maxSplits: 1)[1]
      .split(separator: "\n## ", maxSplits: 1)[0]
    var rows: [Int32: String] = [:]
    for line in section.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|")
      if let code = Int32(cells[0].filter { $0 != " " }) { rows[code] = String(cells[1]) }
    }
    return rows
  }

  @Test("of the documentation are those of the programs")
  func documentation() throws {
    let rows = try documented()
    #expect(Set(rows.keys) == Set(ExitCode.allCases.map(\.rawValue)))
    #expect(rows.values.allSatisfy { !$0.isEmpty })
  }

  @Test(
    "of all errors are those of the documentation",
    arguments: [
      (LibraryError.Code.source, "source"), (.noRanges, "source"), (.network, "network"),
      (.tls, "TLS"),
      (.policy, "limit or a policy"), (.encrypted, "password"), (.diskFull, "disk full"),
      (.io, "input or output"),
      (.store, "input or output"), (.locked, "another process uses the library"),
      (.disconnected, "another process uses the library"), (.noSuchRecord, "usage"),
      (.interrupted, "interrupted"), (.internalError, "internal error"),
    ])
  func meaning(code: LibraryError.Code, words: String) throws {
    #expect(try documented()[ExitCode(code).rawValue]?.contains(words) == true)
  }

  @Test("cover every code of the library's errors, and unexpected errors are internal")
  func unknown() {
    struct Unheard: Error {}
    let failure = ProgramFailure(wrapping: LibraryError.wrapping(Unheard()))
    #expect(failure.code == .internalError)
    #expect(failure.message.contains("Unheard"))
    #expect(LibraryError.Code.allCases.count == 14)
  }

  @Test("name the cause and tell whether to try again")
  func cause() {
    let full = SystemError(errno: 28, call: "write", path: "a.jpg")
    let error = LibraryError.wrapping(full)
    #expect(error.code == .diskFull)
    #expect(error.underlying as? SystemError == full)
    #expect(!error.isRetryable)
    #expect(LibraryError(.locked, "held").isRetryable)
  }
}
