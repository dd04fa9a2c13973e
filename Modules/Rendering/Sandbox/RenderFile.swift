import Models
import Rendering
import SystemCalls

/// A file opened for a worker.
struct RenderFile {
  let descriptor: OwnedDescriptor
  let format: ResourceFormat

  init(_ path: String) throws(RenderError) {
    do throws(SystemError) {
      descriptor = try FileSystem.open(path)
      guard try descriptor.status().kind == .file else {
        throw SystemError(errno: 0, call: "read", path: path)
      }
      format = ResourceFormat(
        sniffing: try descriptor.bytes(count: ResourceFormat.sniffLength, at: 0))
    } catch  where error.errno == 0 {
      throw RenderError(.io, escaping: "\(path) is not a file")
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
  }
}
