import Foundation
import Composition
import Models
import Rendering
import Wiring

/// Makes the thumbnails of a list of files with the renderer of the settings and its confined
/// workers, without downloads and without a store.
///
/// Usage: thumbnails LIST FOLDER. LIST has one path per line; a file per path is written to FOLDER.
@main enum Thumbnails {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    let paths = try String(contentsOfFile: arguments[1], encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let settings = Settings()
    var container = try Container(
      Adapters.catalogue(settings, spoolFolder: arguments[2]),
      choosing: Adapters.choices(settings))
    let renderer = try container.resolve(.renderer)
    let width = ProcessInfo.processInfo.activeProcessorCount + 1
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, path) in paths.enumerated() {
        if number >= width { try await group.next() }
        group.addTask { try await save(path, to: "\(arguments[2])/\(number).jpg", by: renderer) }
      }
      try await group.waitForAll()
    }
    await renderer.shutdown()
  }

  @concurrent
  private static func save(_ path: String, to target: String, by renderer: any Renderer)
    async throws
  {
    let side = Settings().rendering.thumbnailSide
    let job = RenderJob(path: path, sides: [side], quality: Settings().rendering.quality)
    let result = try await renderer.render(job)
    try Data(result.renditions[0].bytes).write(to: URL(fileURLWithPath: target))
  }
}
