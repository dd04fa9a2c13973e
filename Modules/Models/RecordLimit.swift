/// A limit that is another one for a record: the setting `records.NAME.limits.KEY`, where NAME is the
/// record's folder or its title.
public struct RecordLimit: Sendable, Equatable {
  public let record: String
  /// As in `SettingsSchema`: `limits.imagePixels`.
  public let key: String
  /// Of the key's kind.
  public let value: SettingValue
}

extension Settings {
  /// The limits that count for a record.
  public func limits(for record: Record) -> Limits {
    var changed = self
    for limit in recordLimits where [record.folder, record.title].contains(limit.record) {
      SettingsSchema.key(limit.key)?.put(&changed, limit.value)
    }
    return changed.limits
  }
}

extension SettingsSchema {
  /// - Returns: nil for a name that is not of that form.
  static func recordLimit(
    _ name: String, _ value: SettingValue
  ) throws(SettingError) -> RecordLimit? {
    guard name.hasPrefix("records."),
      // A title may have dots, and even that word; a key has no more than one of each.
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
