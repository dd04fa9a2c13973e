import RenderingSandbox
import SystemCalls
import WorkerProcess

/// A folder with a helper program that misbehaves at its first start and is the real one after.
struct BadHelper {
  let folder: ScratchFolder

  /// - Parameter behaviour: shell commands; descriptor 3 is the socket.
  init(_ behaviour: String) throws {
    folder = try ScratchFolder()
    let real = try HelperLocator().path(of: "imgdl-render")
    let script = """
      #!/bin/sh
      echo > "\(folder.path)/started-$$"
      if mkdir "\(folder.path)/once" 2>/dev/null; then
      \(behaviour)
      fi
      exec "\(real)"
      """
    _ = try folder.file("imgdl-render", Array(script.utf8), mode: 0o755)
  }

  func renderer(_ change: (inout WorkerPoolConfiguration) -> Void = { _ in }) -> WorkerPoolRenderer
  {
    var configuration = WorkerPoolConfiguration.test(
      workers: 1, helpers: HelperLocator(explicit: folder.path))
    change(&configuration)
    return WorkerPoolRenderer(configuration)
  }

  /// The process numbers of all workers that were started.
  var started: [Int32] {
    get throws {
      try FileSystem.list(folder.path).compactMap { entry in
        entry.name.hasPrefix("started-") ? Int32(entry.name.dropFirst(8)) : nil
      }
    }
  }
}
