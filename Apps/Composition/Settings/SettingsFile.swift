import Foundation
import Models
import SystemCalls

/// A settings file: JSON with comments and trailing commas. Settings are nested by section, or their keys
/// contain dots.
enum SettingsFile {
  static let sizeLimit = 1 << 20

  /// Applies the file to the settings. A missing file is ignored; a file that cannot be read or parsed causes
  /// an error that names the file.
  /// - Parameters:
  ///   - folder: The library to which the file belongs, in which no symbolic link is followed; nil for other
  ///     files.
  ///   - place: The folder to which relative paths in the file refer.
  static func apply(
    _ path: String, in folder: ConfinedFolder? = nil, at place: SettingBasePath,
    to loaded: inout LoadedSettings
  ) throws(SettingError) {
    let bytes: [UInt8]
    do {
      bytes =
        if let folder {
          try folder.contents(of: path, limit: sizeLimit)
        } else {
          try FileSystem.contents(of: path, limit: sizeLimit)
        }
    } catch {
      if error.isMissing { return }
      throw SettingError(error.description, isUnreadable: !error.isTooLarge)
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let root: JSONValue
    do {
      root = try decoder.decode(JSONValue.self, from: Data(bytes))
    } catch {
      throw SettingError("\(path): not a JSON object with settings (\(describe(error)))")
    }
    guard case .object = root else {
      throw SettingError("\(path): not a JSON object with settings")
    }
    for (key, value) in try flatten(root, path: path, prefix: "") {
      try loaded.set(key, to: try place.absolute(value, of: key), from: .file(path))
    }
  }

  private static func flatten(
    _ value: JSONValue, path: String, prefix: String
  ) throws(SettingError) -> [(String, SettingValue)] {
    switch value {
    case .object(let members):
      var all: [(String, SettingValue)] = []
      for key in members.keys.sorted() {
        guard let member = members[key] else { continue }
        let name = prefix.isEmpty ? key : "\(prefix).\(key)"
        all += try flatten(member, path: path, prefix: name)
      }
      return all
    case .scalar(let scalar): return [(prefix, scalar)]
    case .null: throw SettingError("\(path): \(prefix) is null; leave it out instead")
    }
  }

  private static func describe(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
    let cause = context.underlyingError.map { ($0 as NSError).userInfo["NSDebugDescription"] }
    return (cause as? String) ?? context.debugDescription
  }
}

/// A JSON value that is allowed in a settings file.
private enum JSONValue: Decodable {
  case object([String: JSONValue])
  case scalar(SettingValue)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .scalar(.flag(flag))
    } else if let number = try? container.decode(Int.self) {
      self = .scalar(.integer(number))
    } else if let number = try? container.decode(Double.self) {
      self = .scalar(.number(number))
    } else if let text = try? container.decode(String.self) {
      self = .scalar(.text(text))
    } else if let list = try? container.decode([String].self) {
      self = .scalar(.list(list))
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}
