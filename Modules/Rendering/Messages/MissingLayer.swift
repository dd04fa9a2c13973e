import Synchronization
public import WorkerProcess

/// A layer of the sandbox that a worker could not apply. It says so on its standard error before it
/// looks at a file; the program looks there after the worker's first answer.
public struct MissingLayer: Sendable, Hashable {
  public let name: String
  public let problem: String

  public init(_ name: String, _ problem: String) {
    self.name = name
    self.problem = problem
  }

  private static let beginning = "sandbox layer not applied: "

  public var line: String { "\(Self.beginning)\(name) (\(problem))" }

  /// For people: what it means and what can be done.
  public var warning: String {
    "decoders run without the sandbox layer \(name): \(problem); the others hold (imgdl-cli doctor); "
      + "sandbox.required=true makes this an error"
  }

  /// - Parameter words: the last words of a worker, lines between vertical bars.
  public static func all(in words: String) -> [MissingLayer] {
    words.split(separator: " | ").compactMap { line in
      guard line.hasPrefix(beginning), line.hasSuffix(")"),
        let bracket = line.firstIndex(of: "(")
      else { return nil }
      let name = line[..<bracket].dropFirst(beginning.count).prefix { $0.isLetter }
      return MissingLayer(String(name), String(line[bracket...].dropFirst().dropLast()))
    }
  }
}

/// Passes warnings about sandbox layers that cannot be applied to the handler that the program installs.
/// Each layer is reported once per process.
public enum SandboxWarnings {
  private struct State {
    var handler: (@Sendable (String) -> Void)?
    var told: Set<String> = []
    /// Warnings that were raised before a handler was installed.
    var waiting: [String] = []
  }

  private static let state = Mutex(State())

  public static func install(_ handler: @escaping @Sendable (String) -> Void) {
    let waiting = state.withLock { state in
      state.handler = handler
      defer { state.waiting = [] }
      return state.waiting
    }
    for warning in waiting { handler(warning) }
  }

  /// Looks at what a worker has said when it started.
  public static func look(at worker: WorkerProcess) {
    for layer in MissingLayer.all(in: worker.errorTail) {
      let handler = state.withLock { state -> (@Sendable (String) -> Void)? in
        guard state.told.insert(layer.name).inserted else { return nil }
        if state.handler == nil { state.waiting.append(layer.warning) }
        return state.handler
      }
      handler?(layer.warning)
    }
  }
}
