/// A limit for one record that overrides the general limit: the setting `records.NAME.limits.KEY`, where NAME
/// is the record's folder or its title.
public struct RecordLimit: Sendable, Equatable {
  public let record: String
  /// The name of the key in `SettingsSchema`, such as `limits.imagePixels`.
  public let key: String
  /// The value, already checked against the kind of the key.
  public let value: SettingValue
}

extension Settings {
  /// Returns the limits that apply to a record.
  public func limits(for record: Record) -> Limits {
    var changed = self
    for limit in recordLimits where [record.folder, record.title].contains(limit.record) {
      SettingsSchema.key(limit.key)?.setValue(&changed, limit.value)
    }
    return changed.limits
  }
}

extension SettingsSchema {
  /// Parses the name and the value of a limit for a record.
  /// - Returns: The limit, or nil for a name of another form.
  static func recordLimit(
    _ name: String, _ value: SettingValue
  ) throws(SettingError) -> RecordLimit? {
    guard name.hasPrefix("records."),
      // A title may contain dots, and even `.limits.`; a key contains `.limits.` only at its beginning.
      let middle = name.ranges(of: ".limits.").last,
      middle.lowerBound > name.index(name.startIndex, offsetBy: 8)
    else { return nil }
    let record = String(name[name.index(name.startIndex, offsetBy: 8)..<middle.lowerBound])
    let key = String(name[name.index(after: middle.lowerBound)...])
    guard let known = SettingsSchema.key(key) else { throw .unknownKey(key) }
    guard let checked = known.kind.check(value) else {
      throw .mismatch(name, value, known.kind)
    }
    return RecordLimit(record: record, key: key, value: checked)
  }
}
