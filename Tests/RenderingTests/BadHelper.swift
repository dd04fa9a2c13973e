import RenderingSandbox
import SystemCalls
import TestSupport
import WorkerProcess

/// A folder with a helper program that misbehaves at its first start and is the real one after.
struct BadHelper {
  let folder: ScratchFolder

  /// - Parameters:
  ///   - behaviour: shell commands; descriptor 3 is the socket.
  ///   - untilSound: it misbehaves at every start, until there is a file `sound` beside it.
  init(_ behaviour: String, untilSound: Bool = false) throws {
    let condition =
      untilSound
      ? "[ ! -e \"$(dirname \"$0\")/sound\" ]" : "mkdir \"$(dirname \"$0\")/once\" 2>/dev/null"
    folder = try ScratchFolder()
    let real = try HelperLocator().path(of: "imgdl-render")
    let script = """
      #!/bin/sh
      [ "$1" != --decoders ] || exec "\(real)" "$@"
      echo > "\(folder.path)/started-$$"
      if \(condition); then
      \(behaviour)
      fi
      exec "\(real)" "$@"
      """
    try ShellScript.write(script, to: folder.path + "/imgdl-render")
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
