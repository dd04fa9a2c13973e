public import Models
public import Rendering
public import Wiring

/// The properties of a decoder that are known before its libraries are opened. A file is offered to the
/// decoders in the order of registration.
public struct DecoderDescriptor: Sendable {
  /// The name, formats and sandbox profile, which `imgdl-render` reports to other programs.
  public let summary: DecoderSummary
  /// The library that `doctor` names if the decoder's libraries cannot be opened.
  private let library: LibraryVersion
  /// Opens the decoder's libraries. Must be called before the worker enters the sandbox, which denies opening
  /// files.
  /// - Throws: `.unsupported` if they are not installed.
  public let open: @Sendable () throws(RenderError) -> any ImageDecoder

  /// - Parameters:
  ///   - name: The name, as in the setting `adapters.decoder`.
  ///   - formats: The formats that the decoder opens.
  ///   - sandbox: The permissions that the decoder's worker needs.
  ///   - library: The most important library of the decoder, reported if it is missing.
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

/// A plugin that adds one or more decoders to the catalogue. A conforming type only declares the descriptors;
/// `register` has a default implementation.
public protocol DecoderPlugin: Plugin {
  static var decoders: [DecoderDescriptor] { get }
}

extension DecoderPlugin {
  public static func register(in catalogue: inout Catalogue) {
    for decoder in decoders { catalogue.register(decoder.name, for: .decoder) { _ in decoder } }
  }

  /// The libraries of all decoders without duplicates, since several decoders may share a library.
  public static var libraries: [LibraryVersion] {
    decoders.flatMap(\.libraries).reduce(into: []) { libraries, library in
      if !libraries.contains(library) { libraries.append(library) }
    }
  }
}
