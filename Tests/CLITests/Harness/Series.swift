import Foundation
import HTTP1
import Origin

/// The API of a series beside the files of a rig's origin: its description lies at BASE/series,
/// where the origin has a folder.
final class Series: Sendable {
  private let server: ScriptedServer

  /// The base, with its slash.
  var url: String { server.url }

  init(id: String, slices: [String], in rig: Rig) throws {
    let names = try Sample.json(slices)
    let description = Array(#"{"id": "\#(id)", "slices": \#(names)}"#.utf8)
    let folder = rig.served
    server = try ScriptedServer { _, _, request in
      let target = request.head?.target ?? ""
      let body =
        target == "/series"
        ? description : try? [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + target)))
      return [.send(Reply.bytes(body.map { (200, $0) } ?? (404, [])))]
    }
  }

  deinit { server.stop() }
}

/// A whole response.
enum Reply {
  static func bytes(_ reply: (status: Int, body: [UInt8]), fields: [String] = []) -> [UInt8] {
    let head =
      ["HTTP/1.1 \(reply.status) Text", "Content-Length: \(reply.body.count)"] + fields + ["", ""]
    return Array(head.joined(separator: "\r\n").utf8) + reply.body
  }
}
