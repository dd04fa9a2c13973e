import Hashing
import LibraryAPI
import Markup
import Models
import Rendering
import SystemCalls
import Threading
import Transport

extension Download {
  /// The state that all downloads of an engine share.
  final class Context: Sendable {
    let layout: LibraryLayout
    let settings: Settings
    let transport: any Transport
    /// The queue for reading and copying whole files, separate from the queue of the commits.
    let files: BlockingQueue
    /// Puts tiles together; nil if the engine has no renderer.
    let renderer: (any Renderer)?
    /// Reads Metalink descriptions; nil if the engine has no reader.
    let markup: (any MarkupReader)?
    let bootID: String
    let wallClock: any WallClock
    let random: any RandomSource
    let defaults: RequestDefaults
    let hashers = HasherPool()
    let tileProgress = TileProgressTable()

    init(
      layout: LibraryLayout, settings: Settings, transport: any Transport, files: BlockingQueue,
      renderer: (any Renderer)? = nil, markup: (any MarkupReader)? = nil, bootID: String,
      wallClock: any WallClock = SystemClock(), random: any RandomSource = SystemRandomSource()
    ) {
      self.layout = layout
      self.settings = settings
      self.transport = transport
      self.files = files
      self.renderer = renderer
      self.markup = markup
      self.bootID = bootID
      self.wallClock = wallClock
      self.random = random
      defaults = RequestDefaults(settings)
    }
  }
}
