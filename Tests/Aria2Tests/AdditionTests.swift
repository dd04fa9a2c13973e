import Models
import Testing
@testable import Aria2

@Suite("Additions of downloads")
struct AdditionTests {
  private static func addition(
    _ uris: [String], _ options: [(name: String, value: String)] = [],
    server: [(name: String, value: String)] = []
  ) throws -> Addition {
    var values = OptionValues()
    for (name, value) in options { try values.set(name, to: value) }
    return try Addition(
      uris, values, ServerOptions(server, root: "/library"), byteCount: 7)
  }

  @Test("the URIs that the library cannot request are left out")
  func uris() throws {
    let addition = try Self.addition([" http://a.example/f ", "ftp://a.example/f", "magnet:?x"])
    #expect(addition.uris == ["http://a.example/f"] && addition.isSupported)
    let torrent = try Self.addition(["magnet:?x"], [("pause", "true")])
    #expect(torrent.uris == ["magnet:?x"] && !torrent.isSupported && torrent.isPaused)
    let gid = try #require(GID("ab"))
    let download = torrent.download(gid, resource: ResourceID(5))
    #expect(download.status == .waiting && download.resource == nil && download.usedURI == nil)
    for uris in [[], ["ftp://a.example/f"], Array(repeating: "http://a.example/", count: 1_001)] {
      #expect(throws: RPCError.self) { try Self.addition(uris) }
    }
  }

  @Test("a download is paused by its own option, or by that of the server")
  func pausing() throws {
    let uris = ["http://a.example/f"]
    let pause = [(name: "pause", value: "true")]
    #expect(try Self.addition(uris, pause).isPaused)
    #expect(try Self.addition(uris, server: pause).isPaused)
    #expect(try !Self.addition(uris, [("pause", "false")], server: pause).isPaused)
  }

  @Test("a download with the resource of an earlier run uses its first URI already")
  func resuming() throws {
    let addition = try Self.addition(
      ["http://a.example/f", "http://b.example/f"], [("gid", "00000000000000ab"), ("out", "n")])
    let gid = try #require(addition.gid)
    let resumed = addition.download(gid, resource: ResourceID(5))
    #expect(resumed.usedURI == "http://a.example/f" && resumed.resource == ResourceID(5))
    #expect(resumed.waitingURIs == ["http://b.example/f"] && resumed.expectedBytes == 7)
    let new = addition.download(gid, resource: nil)
    #expect(new.usedURI == nil && new.uris == addition.uris && new.options.names == ["out"])
  }
}
