import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// A part of the engine that performs one concern: asks owners of state for decisions and carries them out.
///
/// A stage belongs to the isolation of its engine: each of its methods runs in a turn of the engine, and an
/// asynchronous one in several. Between two turns any other stage may run.
class Stage {
  unowned let stages: Stages
  let context: EngineContext

  init(_ stages: Stages) {
    self.stages = stages
    context = stages.context
  }

  // Shorthands for the members of `context` and `stages` that most stages use.

  final var store: any LibraryStore {
    get throws(StoreError) {
      stages.checkIsolation()
      return try context.store
    }
  }
  final var layout: LibraryLayout { context.layout }
  final var settings: Settings { context.settings }
  final var ports: EnginePorts { context.ports }
  final var sync: LibrarySync { context.sync }
  final var disk: BlockingQueue { context.disk }
  final var announcer: Announcer { context.announcer }
  final var records: KnownRecords { context.records }
  final var standalone: StandaloneResources { context.standalone }
  final var partialFiles: PartialFiles { context.partialFiles }

  /// Returns the check of renditions by their lengths in the cache usage, which the store contains only after a while.
  final func renditionCheck(of names: [String]) throws(StoreError) -> RenditionCheck {
    let stored = try store.entries(named: names, in: .renditions)
    return RenditionCheck(layout, stored + context.written.entries(named: names))
  }

  final var lifecycle: Lifecycle { stages.lifecycle }
  final var catalog: Catalog { stages.catalog }
  final var transfers: TransferStage { stages.transfers }
  final var commits: CommitStage { stages.commits }
  final var pages: PageStage { stages.pages }
}
