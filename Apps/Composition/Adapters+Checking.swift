public import Models
import RenderMessages
import Threading
public import Wiring
import WorkerProcess

extension Adapters {
  /// Makes all adapters that the settings name, to find out whether they can be made.
  public static func check(_ settings: Settings) async throws(WiringError) {
    try await checkDecoder(settings)
    var container = try Container(
      catalogue(settings, spoolFolder: "/nonexistent"), choosing: choices(settings))
    try container.resolveAll()
  }

  /// Refuses a decoder that there is not. Only `imgdl-render` knows its decoders, so it is asked, where
  /// anything but the default is chosen. That the program itself is missing shows at the first file.
  static func checkDecoder(_ settings: Settings) async throws(WiringError) {
    let decoder = settings.adapters.decoder
    guard decoder != DecoderList.automatic,
      let path = try? HelperLocator().path(of: RenderProgram.name),
      let list = try? await decoders(of: path), !list.choices.contains(decoder)
    else { return }
    throw WiringError.unknownAdapter(decoder, port: "decoder", known: list.choices)
  }

  /// - Parameter path: of `imgdl-render`.
  static func decoders(of path: String) async throws -> DecoderList {
    try await BlockingThread.run("decoders") { try DecoderList(asking: path) }
  }
}
