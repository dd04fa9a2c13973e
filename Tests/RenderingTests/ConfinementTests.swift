import Glibc
import Rendering
import RenderingSandbox
import SystemCalls
import TestSupport
import Testing

@Suite("A worker's confinement") struct ConfinementTests {
  @Test("is what the kernel says of a worker that has begun to answer")
  func limits() async throws {
    let helper = try BadHelper("true")
    let renderer = helper.renderer()
    let path = try helper.folder.file("a.png", TestPicture.png(width: 4, height: 3))
    _ = try await renderer.probe(path)
    let process = try #require(try helper.started.first)
    func lines(_ name: String) throws -> [[Substring]] {
      let bytes = try FileSystem.contents(of: "/proc/\(process)/\(name)")
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
        $0.split(whereSeparator: \.isWhitespace)
      }
    }
    let limits = try lines("limits")
    func limit(_ name: String) -> Substring? {
      limits.first { $0.joined(separator: " ").hasPrefix(name) }?
        .dropFirst(name.split(separator: " ").count).first
    }
    #expect(limit("Max address space") == "2147483648")
    #expect(limit("Max core file size") == "0")
    #expect(limit("Max open files") == "64")
    #expect(try lines("status").contains { $0 == ["NoNewPrivs:", "1"] })
    await renderer.shutdown()
  }
}
