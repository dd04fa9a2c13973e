public import Models
import RenderMessages
import Threading
public import Wiring
import WorkerProcess

extension Adapters {
  /// Creates every adapter that the settings name, to verify that each can be created.
  public static func check(_ settings: Settings) async throws(WiringError) {
    try await checkDecoder(settings)
    var container = try Container(
      catalogue(settings, spoolFolder: "/nonexistent"), choosing: choices(settings))
    try container.resolveAll()
  }

  /// Throws if the settings name a decoder that does not exist. Only `imgdl-render` knows its decoders, so
  /// that program is run if the settings name another decoder than the default. A missing `imgdl-render` is
  /// not reported here, but when the first file is rendered.
  static func checkDecoder(_ settings: Settings) async throws(WiringError) {
    let decoder = settings.adapters.decoder
    guard decoder != DecoderList.automatic,
      let path = try? HelperLocator().path(of: RenderProgram.name),
      let list = try? await decoderList(ofProgramAt: path), !list.choices.contains(decoder)
    else { return }
    throw WiringError.unknownAdapter(decoder, port: "decoder", known: list.choices)
  }

  /// Returns the decoders that the program at `path` lists.
  /// - Parameter path: The path of `imgdl-render`.
  static func decoderList(ofProgramAt path: String) async throws -> DecoderList {
    try await BlockingThread.run("decoders") { try DecoderList(asking: path) }
  }
}
