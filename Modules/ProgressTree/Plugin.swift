public import Wiring

/// Registers the progress adapters `foundation` and `counters`.
public enum ProgressPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    for adapter in LockedProgressTree.Adapter.allCases {
      catalogue.register(adapter.rawValue, for: .progress) { _ in LockedProgressTree(adapter) }
    }
  }
}
