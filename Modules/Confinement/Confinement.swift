public import RenderMessages
public import Rendering
import SystemCalls
import WorkerProcess

/// Applies the layers of the sandbox to a worker before it reads any input, in the order of `SandboxLayer`. A
/// layer that this kernel does not support is skipped and reported (`MissingLayer`); with the setting
/// `sandbox.required` it is an error.
///
/// The worker must open its libraries before it enters the sandbox, because it cannot open files afterwards.
public enum Confinement {
  /// Enters the sandbox, and reports missing layers on standard error.
  /// - Throws: `RenderError` if a required layer is missing, or if the process has other threads: Landlock
  ///   applies only to the thread that enters it and to those that it starts.
  public static func enter(
    _ profile: SandboxProfile, _ sandbox: SandboxUse
  ) throws(RenderError) {
    if sandbox == .none { return }
    guard threadCount == 1 else {
      throw RenderError(.worker, "a library started threads before they could be confined")
    }
    let missing = applyLayers(profile)
    if sandbox == .required, let layer = missing.first {
      throw RenderError(
        .worker,
        "the sandbox layer \(layer.name) cannot be applied (\(layer.problem)), and sandbox.required is set"
      )
    }
    for layer in missing { WorkerService.printError(layer.line) }
  }

  /// Applies all layers.
  /// - Returns: The layers that could not be applied.
  private static func applyLayers(_ profile: SandboxProfile) -> [MissingLayer] {
    SandboxLayer.allCases.compactMap { layer in
      do throws(LayerProblem) {
        try layer.apply(profile)
        return nil
      } catch {
        return MissingLayer(layer.rawValue, error.detail)
      }
    }
  }

  /// The number of threads of this process; 1 if `/proc` is missing.
  private static var threadCount: Int { (try? FileSystem.list("/proc/self/task").count) ?? 1 }
}

enum SandboxLayer: String, CaseIterable {
  case privileges
  case limits
  case landlock
  case seccomp

  func apply(_ profile: SandboxProfile) throws(LayerProblem) {
    switch self {
    case .privileges: try Privileges.apply()
    case .limits: try ProcessLimits.lowerLimits(profile)
    case .landlock: try Landlock.enter(reading: ReadableFolders.paths(for: profile))
    case .seccomp: try SystemCallFilter.enter(profile)
    }
  }
}

/// The reason why a sandbox layer could not be applied.
struct LayerProblem: Error {
  let detail: String
}
