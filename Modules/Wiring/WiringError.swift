import Models

/// The reason why the dependency graph cannot be created. Each description names the settings key and the
/// valid values.
public enum WiringError: Error, Equatable, Sendable, CustomStringConvertible {
  case unknownAdapter(String, port: String, known: [String])
  case unknownPort(String, known: [String])
  case unset(port: String, known: [String])
  case cycle([String])
  case failed(port: String, adapter: String, cause: String)

  public var description: String {
    switch self {
    case .unknownAdapter(let name, let port, let known):
      "adapters.\(port) = \"\(name)\" is not known; choose one of: \(known.joined(separator: ", "))"
        + (Suggestion.nearest(to: name, in: known).map { "; did you mean \($0)?" } ?? "")
    case .unknownPort(let port, let known):
      "adapters.\(port) is not a port; the ports are: \(known.joined(separator: ", "))"
    case .unset(let port, let known):
      "adapters.\(port) is not set; choose one of: \(known.joined(separator: ", "))"
    case .cycle(let path):
      "these adapters depend on each other: \(path.joined(separator: " → "))"
    case .failed(let port, let adapter, let cause):
      "adapters.\(port) = \"\(adapter)\" cannot be created: \(cause)"
    }
  }
}
