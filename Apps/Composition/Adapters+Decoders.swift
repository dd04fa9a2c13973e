import Models
import RenderMessages
import Threading
import Wiring
import WorkerProcess

extension Adapters {
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
