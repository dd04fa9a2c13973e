import Synchronization
public import WorkerProcess

/// A layer of the sandbox that a worker could not apply. The worker reports it on its standard error before
/// it opens a file; the program that started the worker reads the report after the first reply.
public struct MissingLayer: Sendable, Hashable {
  public let name: String
  public let problem: String

  public init(_ name: String, _ problem: String) {
    self.name = name
    self.problem = problem
  }

  private static let beginning = "sandbox layer not applied: "

  public var line: String { "\(Self.beginning)\(name) (\(problem))" }

  /// The warning for users: the consequence and the remedies.
  public var warning: String {
    "decoders run without the sandbox layer \(name): \(problem); the other layers are applied (imgdl-cli doctor); "
      + "sandbox.required=true makes this an error"
  }

  /// Returns the missing layers that a worker has reported.
  /// - Parameter words: The end of a worker's standard error, with vertical bars between the lines.
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
    var reported: Set<String> = []
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

  /// Reports the missing layers that a worker has written to its standard error.
  public static func report(at worker: WorkerProcess) {
    for layer in MissingLayer.all(in: worker.errorTail) {
      let handler = state.withLock { state -> (@Sendable (String) -> Void)? in
        guard state.reported.insert(layer.name).inserted else { return nil }
        if state.handler == nil { state.waiting.append(layer.warning) }
        return state.handler
      }
      handler?(layer.warning)
    }
  }
}
