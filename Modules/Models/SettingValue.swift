/// A value of a setting, from a file, the environment or a flag.
public enum SettingValue: Sendable, Equatable, CustomStringConvertible {
  case text(String)
  case integer(Int)
  case number(Double)
  case flag(Bool)
  case list([String])

  public var description: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .flag(let flag): "\(flag)"
    case .list(let list): "[" + list.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }
  }
}

/// The reason why a setting cannot have the requested value: one sentence with the key's name.
public struct SettingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// Whether a settings file exists but cannot be read: the disk or a permission is at fault, not a setting.
  public let isUnreadable: Bool

  public init(_ description: String, isUnreadable: Bool = false) {
    self.description = description
    self.isUnreadable = isUnreadable
  }

  /// Returns an error that suggests the nearest known key.
  static func unknownKey(_ name: String) -> SettingError {
    SettingError("\(name) is not a setting" + suggestion(nearestKey(to: name)))
  }

  /// Returns an error that suggests the nearest word, if the kind is a choice of words.
  /// - Parameter shown: The value as the message shows it, or a substitute for a secret.
  static func mismatch(
    _ name: String, _ value: SettingValue, shown: String? = nil, _ kind: SettingsSchema.Kind
  ) -> SettingError {
    var nearest: String?
    if case .choice(let words) = kind, case .text(let text) = value {
      nearest = Suggestion.nearest(to: text, in: words)
    }
    return SettingError(
      "\(name): \(shown ?? "\(value)") is not \(kind.expectation)" + suggestion(nearest))
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }

  /// Returns the known key nearest to `name`. If no whole name is near, the section may be missing or wrong,
  /// so the last components are compared.
  private static func nearestKey(to name: String) -> String? {
    let names = SettingsSchema.keys.map(\.name)
    if let nearest = Suggestion.nearest(to: name, in: names) { return nearest }
    let ends = names.map(lastComponent)
    guard let nearest = Suggestion.nearest(to: lastComponent(name), in: ends) else { return nil }
    let keys = names.filter { lastComponent($0) == nearest }
    return keys.count == 1 ? keys[0] : nil
  }

  private static func lastComponent(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}

extension SettingsSchema.Kind {
  /// The expected kind of value, as error messages describe it.
  public var expectation: String {
    switch self {
    case .choice(let names): "one of \(names.joined(separator: ", "))"
    case .text: "a text"
    case .path: "the path of a file"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds: "a time in seconds (500ms, 30s and 2m are understood)"
    case .bytes: "a number of bytes (500k, 2M and 4G are understood)"
    case .rate: "a number of bytes per second (500k and 2M are understood), or 0 for no limit"
    case .flag: "true or false"
    case .list: "a list of texts"
    case .fields: "a list of request fields, each as \"Name: value\""
    case .passwords:
      "a list of passwords, each as \"host: name:password\", with a host, host:port or https://host:port"
    case .hosts: "a list of hosts"
    case .proxy: "the URL of a proxy, as http://proxy.example:3128 or socks5://proxy.example:1080"
    case .servers: "a list of numeric addresses, as 192.0.2.1 or [2001:db8::1]:53"
    }
  }

  /// Returns the value in the form that the key stores, parsed if it is text; nil if the kind does not allow
  /// it.
  func check(_ value: SettingValue) -> SettingValue? {
    switch self {
    case .choice(let names):
      guard let text = Self.word(value), names.contains(text) else { return nil }
      return .text(text)
    case .text, .path: return Self.word(value).map { .text($0) }
    case .integer(let range):
      guard let number = Self.integer(value), range.contains(number) else { return nil }
      return .integer(number)
    case .seconds(let range):
      guard let number = Self.seconds(value), range.contains(number) else { return nil }
      return .number(number)
    case .bytes:
      guard let number = Self.byteCount(value), number > 0 else { return nil }
      return .integer(number)
    case .rate:
      guard let number = Self.byteCount(value), number >= 0 else { return nil }
      return .integer(number)
    case .flag:
      switch value {
      case .flag: return value
      case .text("true"), .text("yes"), .text("on"), .text("1"): return .flag(true)
      case .text("false"), .text("no"), .text("off"), .text("0"): return .flag(false)
      default: return nil
      }
    case .list:
      switch value {
      case .list: return value
      case .text(let text): return .list(text.isEmpty ? [] : [text])
      default: return nil
      }
    case .fields: return Self.lines(value) { HTTPFields.Field(line: $0) != nil }
    case .passwords: return Self.lines(value) { HostPassword(line: $0) != nil }
    case .servers:
      guard case .list(let servers)? = Self.commas(value),
        servers.allSatisfy({ IPEndpoint($0, defaultPort: 53) != nil })
      else { return nil }
      return .list(servers)
    case .hosts: return Self.commas(value)
    case .proxy:
      guard case .text(let text) = value, text.isEmpty || (try? ProxyServer(text)) != nil else {
        return nil
      }
      return value
    }
  }

  /// Returns the value as a list of lines. A text contains one per line, as a request contains its fields.
  private static func lines(
    _ value: SettingValue, where isValid: (String) -> Bool
  ) -> SettingValue? {
    var value = value
    if case .text(let text) = value {
      value = .list(text.split(separator: "\n").map(String.init))
    }
    guard case .list(let lines)? = Self.list.check(value), lines.allSatisfy(isValid) else {
      return nil
    }
    return .list(lines)
  }

  /// Returns the value as a list. The items of a text are separated by commas, spaces or line feeds.
  private static func commas(_ value: SettingValue) -> SettingValue? {
    switch value {
    case .list: value
    case .text(let text):
      .list(text.split { $0 == "," || $0 == " " || $0 == "\n" }.map(String.init))
    default: nil
    }
  }

  private static func word(_ value: SettingValue) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: nil
    }
  }

  private static func integer(_ value: SettingValue) -> Int? {
    switch value {
    case .integer(let number): number
    case .number(let number): Int(exactly: number)
    case .text(let text): Int(text)
    default: nil
    }
  }

  private static func seconds(_ value: SettingValue) -> Double? {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number.isFinite ? number : nil
    case .text(let text):
      for (suffix, factor) in [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)]
      where text.hasSuffix(suffix) {
        return Double(text.dropLast(suffix.count)).flatMap { $0.isFinite ? $0 * factor : nil }
      }
      return Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: return nil
    }
  }

  private static func byteCount(_ value: SettingValue) -> Int? {
    guard case .text(let text) = value else { return integer(value) }
    for (suffix, shift) in [("k", 10), ("M", 20), ("G", 30), ("T", 40)]
    where text.hasSuffix(suffix.lowercased()) || text.hasSuffix(suffix.uppercased()) {
      guard let number = Int(text.dropLast()) else { return nil }
      let (product, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
      return overflow ? nil : product
    }
    return Int(text)
  }
}
