public import Models
public import Rendering
public import WorkerProcess

/// The decoders of `imgdl-render`, in the order in which they are tried. The program reports its decoders
/// itself (`WorkerArguments.decoders`), one per line, so that no other program needs a list.
public struct DecoderList: Sendable, Equatable {
  /// The value of the setting `adapters.decoder` that leaves the choice to the format of each file.
  public static let automatic = "auto"

  public let decoders: [DecoderSummary]

  public init(_ decoders: [DecoderSummary]) { self.decoders = decoders }

  /// The values that the setting `adapters.decoder` accepts.
  public var choices: [String] { [Self.automatic] + decoders.map(\.name) }

  /// Returns the names of the decoders to try for a file, in order, until one supports it; empty for a format
  /// without a decoder.
  /// - Parameter choice: The setting `adapters.decoder`: `auto`, or the name of the only decoder to try if it
  ///   supports the format.
  public func order(for format: ResourceFormat, choice: String) -> [String] {
    let able = decoders.filter { $0.formats.contains(format) }.map(\.name)
    return able.contains(choice) ? [choice] : able
  }

  /// Returns the name of the decoder whose worker is started before the first file: the chosen one, or else
  /// the first, which decodes the most frequent formats.
  public func first(choice: String) -> String? {
    (decoders.first { $0.name == choice } ?? decoders.first)?.name
  }
}

extension DecoderList {
  private static let fonts = "fonts"

  /// The list as text. Each line contains the name, formats, `fonts` or `-`, and bytes of memory, separated
  /// by tabs.
  public var report: String {
    decoders.map { decoder in
      [
        decoder.name, decoder.formats.map(\.rawValue).sorted().joined(separator: ","),
        decoder.sandbox.readsFonts ? Self.fonts : "-", "\(decoder.sandbox.memoryBytes)",
      ].joined(separator: "\t") + "\n"
    }.joined()
  }

  /// Queries the program for its decoders. Blocks for some milliseconds, until the program has exited.
  /// - Parameter path: The path of `imgdl-render`.
  public init(asking path: String) throws(WorkerError) {
    let answer = try ProgramOutput.read(from: path, WorkerArguments.decoders.list)
    guard let list = DecoderList(report: answer) else {
      throw WorkerError(.malformed, "\(path) does not report its decoders")
    }
    self = list
  }

  /// Parses a report; nil for a malformed or an empty one.
  public init?(report: String) {
    var decoders: [DecoderSummary] = []
    for line in report.split(separator: "\n") {
      guard let decoder = Self.parseDecoder(line) else { return nil }
      decoders.append(decoder)
    }
    guard !decoders.isEmpty else { return nil }
    self.init(decoders)
  }

  private static func parseDecoder(_ line: Substring) -> DecoderSummary? {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 4, !cells[0].isEmpty, let memoryBytes = UInt64(cells[3]) else {
      return nil
    }
    let names = cells[1].split(separator: ",")
    let formats = names.compactMap { ResourceFormat(rawValue: String($0)) }
    guard formats.count == names.count else { return nil }
    return DecoderSummary(
      cells[0], formats: Set(formats),
      sandbox: SandboxProfile(readsFonts: cells[2] == fonts, memoryBytes: memoryBytes))
  }
}
