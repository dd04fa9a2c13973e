import Models
import ProgramSupport

/// One `--vary KEY=a,b`: a setting and the values that are compared.
struct Variation: Sendable, Equatable {
  let key: String
  let values: [String]

  init(key: String, values: [String]) {
    self.key = key
    self.values = values
  }

  /// Parses the value of the option `--vary`; every value of the setting is checked against the key's kind.
  /// - Throws: `ProgramFailure` with the code `.usage`.
  init(_ text: String) throws(ProgramFailure) {
    guard let equals = text.firstIndex(of: "=") else {
      throw Self.failure("expects KEY=A,B, not '\(text)'")
    }
    key = String(text[..<equals])
    values = text[text.index(after: equals)...]
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if SettingsSchema.key(key)?.kind.isSecret == true {
      throw Self.failure("\(key) cannot be varied: its values may be secrets, and this shows them")
    }
    for (index, value) in values.enumerated() {
      var settings = Settings()
      do throws(SettingError) {
        try SettingsSchema.set(key, to: .text(value), in: &settings)
      } catch {
        throw Self.failure("\(error)")
      }
      guard !values[..<index].contains(value) else {
        throw Self.failure("\(key) has the value '\(value)' twice")
      }
    }
  }

  static func failure(_ message: String) -> ProgramFailure {
    ProgramFailure(.usage, "--vary: \(message)")
  }
}

/// One value for each setting that is varied.
struct Combination: Sendable, Equatable {
  struct Setting: Sendable, Equatable {
    let key: String
    let value: String
  }

  let settings: [Setting]
  /// The values of the combination: `transport=socket, archive=minizip`. A key is shortened to its last
  /// component if no other key ends with the same one.
  let label: String

  /// The maximum number of combinations; a greater number is assumed to be a typing error.
  static let limit = 1_000

  /// Returns every combination of the values; the last setting changes fastest.
  /// - Throws: `ProgramFailure` with the code `.usage` if a key occurs twice or there are too many
  ///   combinations.
  static func all(of variations: [Variation]) throws(ProgramFailure) -> [Combination] {
    let keys = variations.map(\.key)
    if let twice = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
      throw Variation.failure("\(twice) occurs twice; give all its values in one --vary")
    }
    var rows: [[Setting]] = [[]]
    for variation in variations {
      guard rows.count * variation.values.count <= limit else {
        throw Variation.failure("more than \(limit) combinations")
      }
      rows = rows.flatMap { row in
        variation.values.map { row + [Setting(key: variation.key, value: $0)] }
      }
    }
    return rows.map { Combination(settings: $0, label: label($0)) }
  }

  private static func label(_ settings: [Setting]) -> String {
    let ends = settings.map { $0.key.split(separator: ".").last.map(String.init) ?? $0.key }
    return zip(settings, ends).map { setting, end in
      let name = ends.count { $0 == end } == 1 ? end : setting.key
      return "\(name)=\(setting.value.isEmpty ? "\"\"" : setting.value)"
    }.joined(separator: ", ")
  }
}
