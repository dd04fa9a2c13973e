import Decoding
import Models
import RenderMessages
import RenderingCodecs
import RenderingPoppler
import RenderingVips
import Wiring

/// The decoders of this program; a new decoder is added here only. A file is passed to the first decoder that
/// supports its format, and to the next one if that decoder rejects the file as unsupported.
enum Decoders {
  private static var plugins: [any DecoderPlugin.Type] {
    [CodecsPlugin.self, VipsPlugin.self, PopplerPlugin.self]
  }

  private static let catalogue = {
    var catalogue = Catalogue()
    for plugin in plugins { plugin.register(in: &catalogue) }
    return catalogue
  }()

  static let names = catalogue.names(for: Port<DecoderDescriptor>.decoder.name)

  static var list: DecoderList {
    DecoderList(names.compactMap { try? named($0).summary })
  }

  static var libraries: [LibraryVersion] { plugins.flatMap { $0.libraries } }

  static func named(_ name: String) throws(WiringError) -> DecoderDescriptor {
    let port = Port<DecoderDescriptor>.decoder
    var container = try Container(catalogue, choosing: [port.name: name])
    return try container.resolve(port)
  }
}
