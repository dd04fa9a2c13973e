import Models
import Rendering
import SystemCalls

/// The file of a job.
enum RenderInput: Sendable {
  case path(String)
  /// An open file, which may have no path.
  case descriptor(OwnedDescriptor)
}

/// A file opened for a worker.
struct RenderFile: Sendable {
  let descriptor: OwnedDescriptor
  let format: ResourceFormat

  init(_ input: RenderInput) throws(RenderError) {
    var head: [UInt8]
    do throws(SystemError) {
      descriptor =
        switch input {
        case .path(let path): try FileSystem.open(path, followingLinks: false)
        case .descriptor(let open): open
        }
      guard try descriptor.status().kind == .file else {
        throw SystemError(errno: 0, call: "read", path: input.name)
      }
      head = try descriptor.bytes(count: ResourceFormat.sniffLength, at: 0)
      if let length = ResourceFormat.neededLength(head) {
        head = try descriptor.bytes(count: length, at: 0)
      }
    } catch  where error.errno == 0 {
      throw RenderError(.io, escaping: "\(input.name) is not a file")
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    guard !head.isEmpty else { throw RenderError(.damaged, "the file is empty") }
    format = ResourceFormat(sniffing: head)
  }
}

extension RenderInput {
  fileprivate var name: String {
    switch self {
    case .path(let path): path
    case .descriptor: "the given descriptor"
    }
  }
}
