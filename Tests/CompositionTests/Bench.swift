import Engine
import Foundation
import Composition
import LibraryAPI
import Models
import Origin
import SystemCalls
import TestSupport

/// A folder that is served, and a library beside it.
final class Bench: Sendable {
  private let folder: TemporaryFolder
  let origin: OriginServer
  let library: String

  /// - Parameter keepsLog: whether the server remembers every request.
  init(keepsLog: Bool = true) throws {
    folder = try TemporaryFolder()
    library = folder.path + "/library"
    try FileSystem.makeFolders(folder.path + "/served")
    var configuration = OriginConfiguration(folder: folder.path + "/served")
    configuration.keepsEntries = keepsLog
    origin = try OriginServer(configuration)
  }

  deinit { origin.stop() }

  func url(_ name: String) throws -> HTTPURL { try HTTPURL(origin.url + name) }

  func serve(_ name: String, _ bytes: [UInt8]) throws {
    try FileSystem.replace(
      folder.path + "/served/" + name, with: bytes.span.bytes, syncing: false)
  }

  /// A zip of two lists: pictures, an archive of pictures, and one that does not exist.
  func serveCollection() throws {
    for number in 1...3 {
      try serve("\(number).png", TestPicture.png(width: 12, height: 9, red: UInt8(number)))
    }
    let pages = ZipBuilder([
      .deflated("b.png", TestPicture.png(width: 5, height: 5, red: 1)),
      .stored("a.png", TestPicture.png(width: 6, height: 6, red: 2)),
    ])
    try serve("pages.zip", pages.build())
    let lists = ZipBuilder([
      .deflated("one.json", list(["1.png", "none.png", "2.png"])),
      .stored("two.json", list(["pages.zip", "3.png"])),
    ])
    try serve("all.zip", lists.build())
  }

  private func list(_ names: [String]) -> [UInt8] {
    Array("[\(names.map { "\"\(origin.url)\($0)\"" }.joined(separator: ","))]".utf8)
  }

  /// Adds the collection to an engine and waits until all of it is done.
  func add(to engine: Engine) async throws -> AddResult {
    try await engine.start()
    let result = try await engine.add(SourceRequest(location: .url(try url("all.zip"))))
    try await engine.waitUntilIdle()
    return result
  }
}
