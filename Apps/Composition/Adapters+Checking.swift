public import Models
import RenderMessages
import Threading
public import Wiring
import WorkerProcess

extension Adapters {
  /// Creates every adapter that the settings name, to check that it can be created.
  public static func check(_ settings: Settings) async throws(WiringError) {
    try await checkDecoder(settings)
    var container = try Container(
      catalogue(settings, spoolFolder: "/nonexistent"), choosing: choices(settings))
    try container.resolveAll()
  }

  /// Throws for the name of a decoder that does not exist. Only `imgdl-render` knows its decoders, so it is
  /// run if the settings name another one than the default. A missing `imgdl-render` is reported at the
  /// first file.
  static func checkDecoder(_ settings: Settings) async throws(WiringError) {
    let decoder = settings.adapters.decoder
    guard decoder != DecoderList.automatic,
      let path = try? HelperLocator().path(of: RenderProgram.name),
      let list = try? await decoderList(ofProgramAt: path), !list.choices.contains(decoder)
    else { return }
    throw WiringError.unknownAdapter(decoder, port: "decoder", known: list.choices)
  }

  /// - Parameter path: The path of `imgdl-render`.
  static func decoderList(ofProgramAt path: String) async throws -> DecoderList {
    try await BlockingThread.run("decoders") { try DecoderList(asking: path) }
  }
}
