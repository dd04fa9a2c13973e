public import Models
public import Rendering
public import Wiring

/// All that there is to know about a decoder before its libraries are opened. A file is offered to the
/// decoders in the order in which they are registered.
public struct DecoderDescriptor: Sendable {
  /// The name, formats and sandbox profile that other programs read.
  public let summary: DecoderSummary
  /// The library that `doctor` names if the decoder's libraries cannot be opened.
  private let library: LibraryVersion
  /// Opens its libraries, before the worker gives up the right to open files.
  /// - Throws: `.unsupported` where they are not installed.
  public let open: @Sendable () throws(RenderError) -> any ImageDecoder

  /// - Parameters:
  ///   - name: as in the setting `adapters.decoder`.
  ///   - formats: those that it opens.
  ///   - sandbox: what its worker has to be allowed.
  ///   - library: its most important library, in case that it is missing.
  public init(
    _ name: String, formats: Set<ResourceFormat>, sandbox: SandboxProfile = SandboxProfile(),
    library: LibraryVersion, open: @escaping @Sendable () throws(RenderError) -> any ImageDecoder
  ) {
    summary = DecoderSummary(name, formats: formats, sandbox: sandbox)
    self.library = library
    self.open = open
  }

  public var name: String { summary.name }

  /// The libraries of the decoder, each with its problem if it cannot be opened.
  public var libraries: [LibraryVersion] {
    do throws(RenderError) {
      return try open().libraries
    } catch {
      return [
        LibraryVersion(
          library.name, nil, for: library.use, problem: error.detail, package: library.package)
      ]
    }
  }
}

extension Port where Service == DecoderDescriptor {
  public static var decoder: Port<DecoderDescriptor> { Port("decoder") }
}

/// A decoder's entry in the catalogue: it names its descriptors, the rest follows.
public protocol DecoderPlugin: Plugin {
  static var decoders: [DecoderDescriptor] { get }
}

extension DecoderPlugin {
  public static func register(in catalogue: inout Catalogue) {
    for decoder in decoders { catalogue.register(decoder.name, for: .decoder) { _ in decoder } }
  }

  /// Several decoders may stand on the same library.
  public static var libraries: [LibraryVersion] {
    decoders.flatMap(\.libraries).reduce(into: []) { libraries, library in
      if !libraries.contains(library) { libraries.append(library) }
    }
  }
}
