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

/// The command line of the programs whose processes are workers, `imgdl-render` and `imgdl-unpack`.
public enum WorkerArguments: Sendable, Equatable {
  /// Answers questions.
  case work(WorkerProfile, SandboxUse)
  /// Tries to break out of its belts and reports.
  case breakOut(WorkerProfile)
  /// Reports what its decoders, or its readers of archives, stand on.
  case libraries

  private static let profileFlag = "--profile"
  private static let sandboxFlag = "--sandbox"
  private static let breakOutFlag = "--break-out"
  private static let librariesFlag = "--libraries"

  /// Without the program's name.
  public var list: [String] {
    switch self {
    case .work(let profile, let use):
      [Self.profileFlag, profile.rawValue, Self.sandboxFlag, use.rawValue]
    case .breakOut(let profile): [Self.breakOutFlag, profile.rawValue]
    case .libraries: [Self.librariesFlag]
    }
  }

  /// nil for what no program of ours says to that one.
  public init?(_ list: some Collection<String>, to program: String) {
    let known =
      WorkerProfile.allCases.filter { $0.program == program }.flatMap {
        profile in SandboxUse.allCases.map { Self.work(profile, $0) } + [.breakOut(profile)]
      } + [.libraries]
    guard let match = known.first(where: { $0.list == Array(list) }) else { return nil }
    self = match
  }
}
