public import Wiring

/// Makes both ways to count known.
public enum ProgressPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("foundation", for: .progress) { _ in FoundationProgress() }
    catalogue.register("counters", for: .progress) { _ in CounterProgress() }
  }
}
