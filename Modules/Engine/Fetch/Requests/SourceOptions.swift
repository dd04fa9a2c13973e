import Models

/// The options that users have given for sources in this run, with their credentials, which are stored nowhere else.
/// Part of the engine's isolation.
final class SourceOptions {
  private var terms: [SourceID: OptionTerms] = [:]
  /// The terms restored from the options that earlier runs stored in the library.
  private var restored: [SourceID: OptionTerms] = [:]

  /// The limits of what is kept: the number of sources, and the bytes of different options together.
  private static let countLimit = 10_000
  private static let byteLimit = 64 << 20

  subscript(source: SourceID) -> OptionTerms? { terms[source] }

  /// Keeps the options of a source in place of its earlier ones.
  /// - Returns: false if there is no room for them.
  func insert(_ new: OptionTerms, for source: SourceID) -> Bool {
    guard terms[source] != nil || terms.count < Self.countLimit else { return false }
    var bytes = new.byteCount
    var counted: Set<String> = [new.identity]
    for (id, known) in terms where id != source {
      // Equal options share their texts.
      if counted.insert(known.identity).inserted { bytes += known.byteCount }
    }
    guard bytes <= Self.byteLimit else { return false }
    terms[source] = terms.values.first { $0.options == new.options } ?? new
    return true
  }

  /// Returns what the library has stored of the options of a source.
  func restored(
    _ source: SourceID, _ stored: StoredOptions, over settings: Settings
  ) -> OptionTerms? {
    if let known = restored[source] { return known }
    if restored.count >= Self.countLimit { restored = [:] }
    let new = try? OptionTerms(stored.options, over: settings)
    restored[source] = new
    return new
  }

  func remove(_ source: SourceID) {
    terms[source] = nil
    restored[source] = nil
  }

  func removeAll() {
    terms = [:]
    restored = [:]
  }
}
