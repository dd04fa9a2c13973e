import Archive
import LibraryAPI
import Models
import Persistence
import ProgressTree
import Rendering
import SystemCalls
import Threading
import Transport

/// The collaborators that all stages of an engine share: the ports, the store, the queues for blocking
/// calls, and the owners of state that more than one stage needs. Part of the engine's isolation.
final class EngineContext {
  let layout: LibraryLayout
  let settings: Settings
  let ports: EnginePorts
  let sync: LibrarySync
  let downloads: Download.Context
  /// Read-only access to the library, for callers outside the engine.
  let reader: any LibraryReader

  // Queues for blocking calls, one for each kind of work.
  let disk = BlockingQueue("disk")
  let files: BlockingQueue
  let reading = BlockingQueue("sources")
  let unzipping = BlockingQueue("unzip")
  let renditions = BlockingQueue("renditions")

  let announcer: Announcer
  let records = KnownRecords()
  let standalone = StandaloneResources()
  let partialFiles = PartialFiles()
  let written = RenditionLog()
  let cookies = CookieJars()
  let options = SourceOptions()
  let nameLimit = NameLimit()

  private let lock: LibraryLock
  /// The store, or nil once the engine is closed.
  private var openStore: (any LibraryStore)?

  init(
    layout: LibraryLayout, store: sending any LibraryStore, settings: Settings, ports: EnginePorts,
    lock: LibraryLock, bootID: String
  ) {
    self.lock = lock
    self.layout = layout
    self.settings = settings
    self.ports = ports
    reader = store.reader
    openStore = store
    files = BlockingQueue("files")
    announcer = Announcer(ports.progress)
    sync = LibrarySync(layout, settings.durability, call: ports.sync)
    downloads = Download.Context(
      layout: layout, settings: settings, transport: ports.transport, files: files,
      renderer: ports.renderer, markup: ports.markup, bootID: bootID, wallClock: ports.wallClock,
      random: ports.random)
  }

  /// The store, for the engine's own reads and writes.
  var store: any LibraryStore {
    get throws(StoreError) {
      guard let openStore else { throw StoreError(.closed, "the library is closed") }
      return openStore
    }
  }

  func closeStore() async {
    await reader.close()
    openStore?.close()
    openStore = nil
  }

  func releaseLock() { lock.release() }

  /// Returns another descriptor that holds the lock.
  func heldLock() throws(SystemError) -> OwnedDescriptor? { try lock.held() }

  func renewLock(socket: String?) async throws {
    try await disk.run { [lock] in try lock.renew(socket: socket) }
  }
}
