public import Models

/// What a worker is there for: which decoder it has, and with that what it must be able to do. Large
/// libraries are loaded before the worker gives up the right to open files.
public enum WorkerProfile: String, Sendable, CaseIterable {
  /// libjpeg-turbo, spng, libwebp, BMP, ICO, TGA.
  case codecs
  case vips
  /// May read fonts.
  case poppler
  /// libarchive and minizip; draws nothing.
  case archives
  /// libvips with librsvg alone. May read fonts.
  case svg

  public var formats: Set<ResourceFormat> {
    switch self {
    case .codecs: [.jpeg, .png, .webp, .bmp, .ico, .tga]
    case .vips: [.jpeg, .png, .webp, .gif, .tiff, .heif, .avif, .jpegXL, .jpeg2000]
    case .poppler: [.pdf]
    case .archives: []
    case .svg: [.svg]
    }
  }

  /// The program of its workers. Archives have one of their own: what it links would be loaded at each
  /// start of a decoder.
  public var program: String { self == .archives ? "imgdl-unpack" : "imgdl-render" }

  /// Whether its documents may have text whose fonts are the machine's.
  public var readsFonts: Bool { self == .poppler || self == .svg }

  /// The workers to ask for a file, one after the other until one takes it; empty for what nobody
  /// decodes.
  /// - Parameter choice: the setting `adapters.decoder`: `auto`, or the name of the only decoder to
  ///   ask where it knows the format.
  public static func order(for format: ResourceFormat, choice: String) -> [WorkerProfile] {
    if let forced = WorkerProfile(rawValue: choice), forced.formats.contains(format) {
      return [forced]
    }
    return allCases.filter { $0.formats.contains(format) }
  }
}
