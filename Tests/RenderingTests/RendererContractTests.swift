import Models
import Rendering
import RenderingSandbox
import TestSupport
import Testing
import WorkerProcess

enum RendererBackend: CaseIterable, Sendable {
  case workers, fake

  func make() -> any Renderer {
    switch self {
    case .workers: WorkerPoolRenderer(.test())
    case .fake: FakeRenderer()
    }
  }
}

extension WorkerPoolConfiguration {
  /// The real helper program, from the build folder.
  static func test(
    workers: Int = 2, helpers: HelperLocator = HelperLocator(), _ settings: Settings = Settings()
  ) -> WorkerPoolConfiguration {
    var configuration = WorkerPoolConfiguration(settings, helpers: helpers, processorCount: 2)
    configuration.workers = workers
    return configuration
  }
}

@Suite("Every renderer") struct RendererContractTests {
  @Test("keeps the contract", arguments: RendererContract.rules, RendererBackend.allCases)
  func contract(_ rule: RendererRule, _ backend: RendererBackend) async throws {
    let renderer = backend.make()
    let folder = try ScratchFolder()
    do {
      try await rule.check(renderer, folder)
    } catch {
      await renderer.shutdown()
      throw error
    }
    await renderer.shutdown()
  }
}
