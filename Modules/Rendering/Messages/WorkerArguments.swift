/// How much of its sandbox a worker needs before it looks at a file.
public enum SandboxUse: String, Sendable, CaseIterable {
  /// None of it: for comparison.
  case none
  /// The layers that this kernel offers. A layer that cannot be applied is reported.
  case available
  /// All of it: a worker that lacks a layer ends (setting `sandbox.required`).
  case required

  /// - Parameters:
  ///   - renderer: the setting `adapters.renderer`.
  ///   - isRequired: the setting `sandbox.required`.
  public init(renderer: String, isRequired: Bool) {
    self = renderer == "unconfined" ? .none : isRequired ? .required : .available
  }
}

/// The program whose processes are the workers of decoders.
public enum RenderProgram {
  public static let name = "imgdl-render"
}

/// The command line of the programs whose processes are workers, `imgdl-render` and `imgdl-unpack`.
public enum WorkerArguments: Sendable, Equatable {
  /// Answers questions.
  /// - Parameters:
  ///   - worker: a decoder's name, or that of the worker for archives.
  case work(worker: String, SandboxUse)
  /// Tries to break out of its sandbox layers and reports.
  case breakOut(worker: String)
  /// Reports what its decoders, or its readers of archives, stand on.
  case libraries
  /// Reports which decoders it has (`DecoderList.report`).
  case decoders

  private static let workerFlag = "--worker"
  private static let sandboxFlag = "--sandbox"
  private static let breakOutFlag = "--break-out"
  private static let librariesFlag = "--libraries"
  private static let decodersFlag = "--decoders"

  /// Without the program's name.
  public var list: [String] {
    switch self {
    case .work(let worker, let use):
      [Self.workerFlag, worker, Self.sandboxFlag, use.rawValue]
    case .breakOut(let worker): [Self.breakOutFlag, worker]
    case .libraries: [Self.librariesFlag]
    case .decoders: [Self.decodersFlag]
    }
  }

  /// nil for what no program of ours says to that one.
  /// - Parameter workers: the names of the workers that the program can be.
  public init?(_ list: some Collection<String>, workers: [String]) {
    let known =
      workers.flatMap { worker in
        SandboxUse.allCases.map { Self.work(worker: worker, $0) } + [.breakOut(worker: worker)]
      } + [.libraries, .decoders]
    guard let match = known.first(where: { $0.list == Array(list) }) else { return nil }
    self = match
  }
}
