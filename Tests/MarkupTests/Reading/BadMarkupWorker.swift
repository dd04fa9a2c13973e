import MarkupMessages
import MarkupSandbox
import RenderMessages
import SystemCalls
import TestSupport
import WorkerProcess

/// A folder with a worker program that misbehaves at its first start and is the real one after, and a reader
/// that uses it.
struct BadMarkupWorker {
  let folder: TemporaryFolder
  let reader: SandboxedMarkupReader

  /// - Parameters:
  ///   - behaviour: Shell commands that run when the first byte of a request has arrived; descriptor 3 is the
  ///     socket, `$here` the folder.
  ///   - answer: The contents of the file `answer` in that folder.
  init(_ behaviour: String, answer: [Frame] = [], seconds: Double = 20) throws {
    folder = try TemporaryFolder()
    let real = try HelperLocator().path(of: MarkupProgram.name)
    let script = """
      #!/bin/sh
      here=$(dirname "$0")
      echo > "$here/started-$$"
      if mkdir "$here/once" 2>/dev/null; then
      dd bs=1 count=1 <&3 >/dev/null 2>&1
      \(behaviour)
      fi
      exec "\(real)" "$@"
      """
    try ShellScript.write(script, to: folder.path + "/" + MarkupProgram.name)
    _ = try folder.write("answer", answer.flatMap(\.wireBytes))
    reader = SandboxedMarkupReader(
      workers: ReadingWorkers(
        .markup(
          helpers: HelperLocator(explicit: folder.path), seconds: seconds)))
  }

  /// The process numbers of all workers that were started.
  var started: [Int32] {
    get throws {
      try FileSystem.list(folder.path).compactMap { entry in
        entry.name.hasPrefix("started-") ? Int32(entry.name.dropFirst(8)) : nil
      }
    }
  }

  static let sends = "cat \"$here/answer\" >&3"
}
