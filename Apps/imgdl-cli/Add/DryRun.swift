import CommandLine
import Engine
import ImgdlLibrary
import Manifests
import Models
import SystemCalls

/// `add --dry-run`: reads the sources and shows what would be downloaded. Nothing is left behind.
enum DryRun {
  static func run(_ context: Context, _ words: [String]) async throws -> ExitCode {
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-dry-run")
    defer { try? FileSystem.removeTree(folder) }
    let format = context.invocation.value("format").flatMap { ManifestFormat(rawValue: $0) }
    let preview = try Library.preview(folder: folder, settings: context.settings)
    var code = ExitCode.done
    for word in words {
      do {
        let request = try Sources.request(word, format: format, again: false, spoolFolder: folder)
        let problems = try await preview.run(request) { title, url in
          context.console.print("\(Console.escaped(title))\t\(url)")
        }
        for problem in problems { context.console.complain(problem) }
        if !problems.isEmpty, code == .done { code = .someFailed }
      } catch let failure as CommandFailure {
        context.console.complain(failure.message)
        code = failure.code
      } catch let error as EngineError {
        context.console.complain(error.detail)
        code = ExitCode(error)
      }
    }
    await preview.close()
    return code
  }
}
