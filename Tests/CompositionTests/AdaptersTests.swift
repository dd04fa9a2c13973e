import Composition
import Models
import Testing
import Wiring

@Suite struct AdaptersTests {
  private let catalogue = Adapters.catalogue(Settings(), spoolFolder: "/nowhere")

  @Test("every port has a known default, which is chosen without settings")
  func defaults() {
    let choices = Adapters.choices(Settings())
    #expect(choices.keys.sorted() == catalogue.ports)
    for (port, name) in choices { #expect(catalogue.names(for: port).contains(name), "\(port)") }
  }

  @Test("the adapters of the documentation are known")
  func names() {
    #expect(catalogue.names(for: "transport").sorted() == ["socket", "url-session"])
    #expect(catalogue.names(for: "archive").sorted() == ["libarchive", "minizip"])
    #expect(catalogue.names(for: "store").sorted() == ["memory", "sqlite"])
    #expect(catalogue.names(for: "progress").sorted() == ["counters", "foundation"])
    #expect(catalogue.names(for: "markup") == ["sandbox"])
    #expect(catalogue.names(for: "renderer").sorted() == ["sandbox", "unconfined"])
  }

  @Test(
    "the choice of each port is the setting of its name",
    arguments: ["transport", "archive", "markup", "renderer", "store", "progress"])
  func choices(_ port: String) throws {
    var settings = Settings()
    try SettingsSchema.set("adapters.\(port)", to: .text("chosen"), in: &settings)
    #expect(Adapters.choices(settings)[port] == "chosen")
  }

  @Test(
    "an unknown adapter is refused before any adapter is created, and the error lists the known ones",
    arguments: ["transport", "archive", "markup", "renderer", "store", "progress"])
  func unknown(_ port: String) async throws {
    let bench = try Bench()
    var settings = Settings()
    try SettingsSchema.set("adapters.\(port)", to: .text("unknown"), in: &settings)
    let error = await #expect(throws: WiringError.self) {
      _ = try await LibraryOpener.openEngine(at: bench.library, settings: settings)
    }
    #expect(
      error
        == .unknownAdapter("unknown", port: port, known: catalogue.names(for: port)))
  }

  @Test("a decoder that the worker does not have is refused, and the error lists those that it has")
  func unknownDecoder() async throws {
    let bench = try Bench()
    var settings = Settings()
    settings.adapters.decoder = "codec"
    let refusal =
      #"adapters.decoder = "codec" is not known; choose one of: auto, codecs, vips, svg, poppler"#
      + "; did you mean codecs?"
    for open in [
      { _ = try await LibraryOpener.openEngine(at: bench.library, settings: settings) },
      { _ = try await LibraryOpener.openRenderer(settings) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: WiringError.self) { try await open() }
      #expect(error?.description == refusal)
    }
  }
}
