import Models
import Rendering
import SystemCalls

/// A file opened for a worker.
struct RenderFile: Sendable {
  let descriptor: OwnedDescriptor
  let format: ResourceFormat

  init(_ path: String) throws(RenderError) {
    var head: [UInt8]
    do throws(SystemError) {
      descriptor = try FileSystem.open(path, followingLinks: false)
      guard try descriptor.status().kind == .file else {
        throw SystemError(errno: 0, call: "read", path: path)
      }
      head = try descriptor.bytes(count: ResourceFormat.sniffLength, at: 0)
      if ResourceFormat.hasOpenProlog(head) {
        head = try descriptor.bytes(count: ResourceFormat.prologLimit, at: 0)
      }
    } catch  where error.errno == 0 {
      throw RenderError(.io, escaping: "\(path) is not a file")
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    guard !head.isEmpty else { throw RenderError(.damaged, "the file is empty") }
    format = ResourceFormat(sniffing: head)
  }
}
