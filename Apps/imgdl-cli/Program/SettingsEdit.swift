import Foundation
import Models
import ProgramSupport
import SystemCalls

/// Sets one setting in a settings file, whose other members are kept.
struct SettingsEdit {
  let path: String

  /// The highest size of a settings file in bytes, as for reading it.
  private static let sizeLimit = 1 << 20

  /// - Parameter value: The value as the user writes it.
  /// - Throws: `SettingError` if there is no such setting, or if it cannot have the value; `ProgramFailure` for a file
  ///   that can only be edited by hand.
  func set(_ name: String, to value: String) throws {
    var scratch = Settings()
    var text = value
    if SettingsSchema.key(name)?.kind == .path, !value.isEmpty {
      text = try FileSystem.absolutePath(value)
    }
    try SettingsSchema.set(name, to: .text(text), in: &scratch)
    guard let key = SettingsSchema.key(name) else {
      throw ProgramFailure(
        .usage, "\(name) is a limit of one record, which is written into \(path) by hand")
    }
    guard !key.kind.isSecret else {
      // Other users of the machine can see arguments, and a shell keeps them in its history.
      throw ProgramFailure(.usage, "\(name) may contain a secret; write it into \(path) by hand")
    }
    // A link stays a link: only the file that it leads to is replaced.
    let target = try FileSystem.writtenPath(path)
    let (old, mode) = try contents(of: target)
    var root = old
    Self.insert(key.value(in: scratch).jsonObject, at: name, in: &root)
    let data = try JSONSerialization.data(
      withJSONObject: root, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try FileSystem.makeFolders(FileSystem.parentFolder(of: target))
    try FileSystem.replace(
      target, with: String(decoding: data, as: UTF8.self) + "\n", mode: mode)
  }

  /// Returns the members of the file and its permissions; those of a new file if there is none.
  private func contents(of target: String) throws -> (members: [String: Any], mode: UInt32) {
    let bytes: [UInt8]
    let mode: UInt32
    do throws(SystemError) {
      bytes = try FileSystem.contents(of: target, limit: Self.sizeLimit)
      mode = try FileSystem.status(target).mode & 0o777
    } catch {
      guard error.isMissing else { throw error }
      return ([:], 0o666)
    }
    // Comments and trailing commas, which settings files may have, would be lost.
    guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
      let members = value as? [String: Any]
    else {
      throw ProgramFailure(
        .refused, "\(path) has comments or is not plain JSON; change it with an editor")
    }
    return (members, mode)
  }

  /// Sets the value where the file has the key already, whole or in sections, or else in sections.
  private static func insert(_ value: Any, at name: String, in members: inout [String: Any]) {
    guard members[name] == nil, let dot = name.firstIndex(of: ".") else {
      members[name] = value
      return
    }
    let section = String(name[..<dot])
    var inner = members[section] as? [String: Any] ?? [:]
    insert(value, at: String(name[name.index(after: dot)...]), in: &inner)
    members[section] = inner
  }
}

extension SettingValue {
  fileprivate var jsonObject: Any {
    switch self {
    case .text(let text): text
    case .integer(let number): number
    case .number(let number): number
    case .flag(let flag): flag
    case .list(let list): list
    }
  }
}
