import Archive
import Composition
import LibraryAPI
import Models
import Persistence
import Rendering
import SystemCalls
import TestSupport
import Testing
import Transport
import Wiring

/// Adapters of other packages are registered by the caller that opens a library, and chosen by the settings.
@Suite struct OutsideAdaptersTests {
  /// A store that shows that it was asked.
  private struct RefusingStore: StoreOpening {
    static let refusal = StoreError(.internal, "the store of somebody else was asked")

    @concurrent
    func open(folder: String) async throws(StoreError) -> sending any LibraryStore {
      throw Self.refusal
    }

    @concurrent
    func openForReading(folder: String) async throws(StoreError) -> any LibraryReader {
      throw Self.refusal
    }
  }

  @Test("are available if only the store is opened")
  func store() async throws {
    let bench = try Bench()
    try FileSystem.makeFolders(bench.library + "/.imgdl")
    var settings = Settings()
    settings.adapters.store = "mine"
    await #expect(throws: RefusingStore.refusal) {
      _ = try await LibraryOpener.openStore(at: bench.library, settings: settings) {
        $0.register("mine", for: .store) { _ in RefusingStore() }
      }
    }
    let error = await #expect(throws: WiringError.self) {
      _ = try await LibraryOpener.openStore(at: bench.library, settings: settings)
    }
    #expect(error == .unknownAdapter("mine", port: "store", known: ["sqlite", "memory"]))
  }

  @Test("are available if only the renderer is opened")
  func renderer() async throws {
    var settings = Settings()
    settings.adapters.renderer = "mine"
    let fake = FakeRenderer()
    let renderer = try await LibraryOpener.openRenderer(settings) {
      $0.register("mine", for: .renderer) { _ in fake }
    }
    #expect(renderer as? FakeRenderer === fake)
  }

  @Test(
    "are available to previews, with the user's passwords, and need adapters later in the alphabet")
  func preview() async throws {
    let folder = try TemporaryFolder()
    let netrc = try folder.write("netrc", Array("machine fake.test login me password mine".utf8))
    var settings = Settings()
    settings.adapters.transport = "mine"
    settings.adapters.archive = "mine"
    settings.network.netrcFile = netrc
    let fake = FakeTransport()
    fake.serve(
      "http://fake.test/list.txt", FakeAnswer(body: Array("http://fake.test/a.png\n".utf8)))
    let preview = try LibraryOpener.preview(folder: folder.path, settings: settings) { catalogue in
      catalogue.register("mine", for: .transport) { _ in fake }
      catalogue.register("mine", for: .archive) { container in
        // The settings and the transport have names behind "archive".
        let settings = try container.resolve(.settings)
        let transport = try container.resolve(.transport)
        #expect(settings.adapters.archive == "mine")
        #expect(transport is CredentialedTransport)
        return MemoryArchiveReader()
      }
    }
    let told = Told()
    let source = SourceRequest(location: .url(try HTTPURL("http://fake.test/list.txt")))
    _ = try await preview.run(source) { told.add($0.url) }
    await preview.close()
    #expect(told.all == ["http://fake.test/a.png"])
    #expect(fake.requests.map(\.url) == ["http://fake.test/list.txt"])
  }
}
