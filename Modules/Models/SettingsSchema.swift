/// The schema of all settings: the name, meaning, kind and accessors of each.
///
/// Settings files, the environment, flags and `config` all use this one table.
public enum SettingsSchema {
  public struct Key: Sendable {
    /// The name as in `--set` and in settings files, such as `network.connectTimeout`.
    public let name: String
    /// A description of one sentence, without a full stop.
    public let summary: String
    public let kind: Kind
    let get: @Sendable (Settings) -> SettingValue
    let setValue: @Sendable (inout Settings, SettingValue) -> Void

    public func value(in settings: Settings) -> SettingValue { get(settings) }

    /// `IMGDL_NETWORK_CONNECT_TIMEOUT` for `network.connectTimeout`.
    public var environmentName: String {
      var text = "IMGDL_"
      for character in name {
        if character == "." {
          text += "_"
        } else if character.isUppercase {
          text += "_\(character)"
        } else {
          text += character.uppercased()
        }
      }
      return text
    }
  }

  public enum Kind: Sendable, Equatable {
    case choice([String])
    case text
    /// The path of a file; an empty path means none.
    case path
    case integer(ClosedRange<Int>)
    /// A time in seconds; the suffixes in `500ms`, `30s` and `2m` are accepted.
    case seconds(ClosedRange<Double>)
    /// A size in bytes; the suffixes in `500k`, `2M` and `4G` are accepted, in steps of 1,024.
    case bytes
    /// A rate in bytes per second; 0 means no limit.
    case rate
    case flag
    case list
    /// Request fields, as `Name: value`. Their values may be secrets, so no message shows them.
    case fields
    /// Passwords of servers, as `host: name:password`. No message shows the names and passwords.
    case passwords
    /// Numeric addresses with or without ports.
    case servers
    /// A list of hosts, separated by commas if it is a single text.
    case hosts
    /// The URL of a proxy; empty means none. It may contain a password, so messages show only its host.
    case proxy

    /// Whether values may be secrets, which no argument, message or output may show.
    public var isSecret: Bool { [.fields, .passwords, .proxy].contains(self) }
  }

  /// Returns a value in which secrets are replaced by placeholders.
  public static func shown(_ value: SettingValue, of kind: Kind) -> SettingValue {
    switch (kind, value) {
    case (.fields, .list(let fields)): .list(fields.map { $0.prefix { $0 != ":" } + ": …" })
    case (.passwords, .list(let lines)):
      .list(lines.compactMap { HostPassword(line: $0) }.map { $0.key + ": …" })
    case (.proxy, .text(let text)):
      (try? ProxyServer(text)).map {
        .text(
          "\($0.kind.rawValue)://\($0.user == nil ? "" : CredentialMask.placeholder + "@")\($0)")
      } ?? value
    default: value
    }
  }

  public static func key(_ name: String) -> Key? { byName[name] }

  private static let byName = Dictionary(
    uniqueKeysWithValues: keys.map { ($0.name, $0) })

  /// Sets one key after checking the value against its kind.
  public static func set(
    _ name: String, to value: SettingValue, in settings: inout Settings
  ) throws(SettingError) {
    if let limit = try recordLimit(name, value) {
      settings.recordLimits.removeAll { $0.record == limit.record && $0.key == limit.key }
      settings.recordLimits.append(limit)
      return
    }
    guard let key = byName[name] else { throw .unknownKey(name) }
    guard let checked = key.kind.check(value) else {
      if key.kind == .proxy, case .text(let text) = value { try checkProxy(name, text) }
      throw .mismatch(name, value, shown: key.kind.isSecret ? "this" : nil, key.kind)
    }
    key.setValue(&settings, checked)
  }

  static func text(
    _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, _ summary: String,
    choices: [String]? = nil
  ) -> Key {
    Key(
      name: name, summary: summary, kind: choices.map { .choice($0) } ?? .text,
      get: { .text($0[keyPath: path]) },
      setValue: { if case .text(let text) = $1 { $0[keyPath: path] = text } })
  }

  static func path(
    _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, _ summary: String
  ) -> Key {
    Key(
      name: name, summary: summary, kind: .path,
      get: { .text($0[keyPath: path]) },
      setValue: { if case .text(let text) = $1 { $0[keyPath: path] = text } })
  }

  static func integer(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable,
    _ range: ClosedRange<Int>, _ summary: String
  ) -> Key {
    integer(name, path, .integer(range), summary)
  }

  static func bytes(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable, _ summary: String
  ) -> Key {
    integer(name, path, .bytes, summary)
  }

  static func rate(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable, _ summary: String
  ) -> Key {
    integer(name, path, .rate, summary)
  }

  private static func integer(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable, _ kind: Kind,
    _ summary: String
  ) -> Key {
    Key(
      name: name, summary: summary, kind: kind,
      get: { .integer($0[keyPath: path]) },
      setValue: { if case .integer(let number) = $1 { $0[keyPath: path] = number } })
  }

  /// - Parameter summary: The meaning; the unit is inserted before its first semicolon.
  static func seconds(
    _ name: String, _ path: any WritableKeyPath<Settings, Double> & Sendable,
    _ range: ClosedRange<Double>, _ summary: String
  ) -> Key {
    let end = summary.firstIndex(of: ";") ?? summary.endIndex
    return Key(
      name: name, summary: "\(summary[..<end]), in seconds\(summary[end...])",
      kind: .seconds(range),
      get: { .number($0[keyPath: path]) },
      setValue: { if case .number(let number) = $1 { $0[keyPath: path] = number } })
  }

  private static func checkProxy(_ name: String, _ text: String) throws(SettingError) {
    do throws(HTTPURLError) {
      _ = try ProxyServer(text)
    } catch {
      throw SettingError("\(name): \(error)")
    }
  }

  static func proxy(
    _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, _ summary: String
  ) -> Key {
    Key(
      name: name, summary: summary, kind: .proxy,
      get: { .text($0[keyPath: path]) },
      setValue: { if case .text(let text) = $1 { $0[keyPath: path] = text } })
  }

  static func list(
    _ name: String, _ path: any WritableKeyPath<Settings, [String]> & Sendable, _ kind: Kind,
    _ summary: String
  ) -> Key {
    Key(
      name: name, summary: summary, kind: kind,
      get: { .list($0[keyPath: path]) },
      setValue: { if case .list(let list) = $1 { $0[keyPath: path] = list } })
  }

  static func flag(
    _ name: String, _ path: any WritableKeyPath<Settings, Bool> & Sendable, _ summary: String
  ) -> Key {
    Key(
      name: name, summary: summary, kind: .flag,
      get: { .flag($0[keyPath: path]) },
      setValue: { if case .flag(let flag) = $1 { $0[keyPath: path] = flag } })
  }
}
