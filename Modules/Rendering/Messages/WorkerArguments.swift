/// The part of the sandbox that a worker must apply before it opens a file.
public enum SandboxUse: String, Sendable, CaseIterable {
  /// No sandbox layer is applied: the setting `adapters.renderer = unconfined`.
  case none
  /// The layers that this kernel supports are applied. A layer that cannot be applied is reported.
  case available
  /// All layers are applied; a worker that lacks one exits (setting `sandbox.required`).
  case required

  /// - Parameters:
  ///   - renderer: the setting `adapters.renderer`.
  ///   - isRequired: the setting `sandbox.required`.
  public init(renderer: String, isRequired: Bool) {
    self = renderer == "unconfined" ? .none : isRequired ? .required : .available
  }
}

/// The worker program that hosts the decoders.
public enum RenderProgram {
  public static let name = "imgdl-render"
}

/// The command lines of the worker programs, `imgdl-render` and `imgdl-unpack`.
public enum WorkerArguments: Sendable, Equatable {
  /// Runs a worker, which serves requests until its socket is closed.
  /// - Parameters:
  ///   - worker: The name of a decoder, or of the worker for archives.
  case work(worker: String, SandboxUse)
  /// Tries to break out of the sandbox layers and reports the results.
  case breakOut(worker: String)
  /// Reports the libraries of the program's decoders or archive readers.
  case libraries
  /// Reports the available decoders (`DecoderList.report`).
  case decoders

  private static let workerFlag = "--worker"
  private static let sandboxFlag = "--sandbox"
  private static let breakOutFlag = "--break-out"
  private static let librariesFlag = "--libraries"
  private static let decodersFlag = "--decoders"

  /// The arguments without the program's name.
  public var list: [String] {
    switch self {
    case .work(let worker, let use):
      [Self.workerFlag, worker, Self.sandboxFlag, use.rawValue]
    case .breakOut(let worker): [Self.breakOutFlag, worker]
    case .libraries: [Self.librariesFlag]
    case .decoders: [Self.decodersFlag]
    }
  }

  /// Parses a command line; nil for arguments that no case describes.
  /// - Parameter workers: The names of the workers that the program implements.
  public init?(_ list: some Collection<String>, workers: [String]) {
    let known =
      workers.flatMap { worker in
        SandboxUse.allCases.map { Self.work(worker: worker, $0) } + [.breakOut(worker: worker)]
      } + [.libraries, .decoders]
    guard let match = known.first(where: { $0.list == Array(list) }) else { return nil }
    self = match
  }
}
