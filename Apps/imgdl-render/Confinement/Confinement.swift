import RenderMessages

/// Applies the layers of the sandbox to a worker before it sees any input, in the order of `Belt`. A layer
/// that this kernel does not offer is left out and reported (`MissingLayer`), and the others are applied
/// all the same; the setting `sandbox.required` makes a missing layer an error.
///
/// Landlock holds for the thread that enters it and those that it starts: call this while there is
/// no other.
enum Confinement {
  /// - Returns: the layers that could not be applied.
  static func enter(_ profile: WorkerProfile) -> [MissingLayer] {
    Belt.allCases.compactMap { belt in
      do throws(BeltProblem) {
        try belt.fasten(profile)
        return nil
      } catch {
        return MissingLayer(belt.rawValue, error.detail)
      }
    }
  }
}

enum Belt: String, CaseIterable {
  case privileges
  case limits
  case landlock
  case seccomp

  func fasten(_ profile: WorkerProfile) throws(BeltProblem) {
    switch self {
    case .privileges: try Privileges.give()
    case .limits: try ProcessLimits.lower(profile)
    case .landlock: try Landlock.enter(reading: ReadableFolders.of(profile))
    case .seccomp: try SystemCallFilter.enter(profile)
    }
  }
}

/// Why a belt is not there.
struct BeltProblem: Error {
  let detail: String
}
