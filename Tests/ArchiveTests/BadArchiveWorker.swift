import Archive
import ArchiveMessages
import ArchiveSandbox
import RenderMessages
import SystemCalls
import TestSupport
import WorkerProcess

/// A folder with a worker program that misbehaves at its first start and is the real one after, and a
/// reader that uses it.
struct BadArchiveWorker {
  let folder: TemporaryFolder
  let reader: SandboxedArchiveReader

  /// - Parameters:
  ///   - behaviour: shell commands once the first byte of a question is there; descriptor 3 is the
  ///     socket, `$here` the folder.
  ///   - answer: a file in that folder.
  init(_ behaviour: String, answer: [Frame] = [], seconds: Double = 20) throws {
    folder = try TemporaryFolder()
    let real = try HelperLocator().path(of: "imgdl-unpack")
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
    try ShellScript.write(script, to: folder.path + "/imgdl-unpack")
    _ = try folder.write("answer", answer.flatMap(\.wireBytes))
    reader = SandboxedArchiveReader(
      .libarchive,
      workers: ReadingWorkers(
        .archives(
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
