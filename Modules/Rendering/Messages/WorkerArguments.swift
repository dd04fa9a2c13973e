/// The command line of `imgdl-render`.
public enum WorkerArguments: Sendable, Equatable {
  /// Answers questions.
  case work(WorkerProfile, isConfined: Bool)
  /// Tries to break out of its belts and reports.
  case breakOut(WorkerProfile)
  /// Reports what the decoders stand on.
  case libraries

  private static let profileFlag = "--profile"
  private static let unconfinedFlag = "--unconfined"
  private static let breakOutFlag = "--break-out"
  private static let librariesFlag = "--libraries"

  /// Without the program's name.
  public var list: [String] {
    switch self {
    case .work(let profile, let isConfined):
      [Self.profileFlag, profile.rawValue] + (isConfined ? [] : [Self.unconfinedFlag])
    case .breakOut(let profile): [Self.breakOutFlag, profile.rawValue]
    case .libraries: [Self.librariesFlag]
    }
  }

  /// nil for what no program of ours says.
  public init?(_ list: some Collection<String>) {
    let known =
      WorkerProfile.allCases.flatMap {
        [Self.work($0, isConfined: true), .work($0, isConfined: false), .breakOut($0)]
      } + [.libraries]
    guard let match = known.first(where: { $0.list == Array(list) }) else { return nil }
    self = match
  }
}
