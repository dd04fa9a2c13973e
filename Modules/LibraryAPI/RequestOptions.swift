public import Models

/// The options that a user gives with one request, such as `add` or `retry`. They apply to the requests of the source
/// that is read, and of its resources, and to no other ones.
public struct RequestOptions: Sendable, Equatable {
  /// The values of settings for the requests of the source, by name; only those of `keys`.
  public private(set) var values: [String: SettingValue] = [:]
  /// The text of a cookie file in Netscape format; nil for none.
  public var cookies: String?
  /// The text of a netrc file; nil for none.
  public var netrc: String?
  /// The settings of the whole engine that the user has named. The request is refused unless the engine has these
  /// values, since no single request can change them.
  public var expectations: [Expectation] = []

  /// A value that a setting of the whole engine must have.
  public struct Expectation: Sendable, Equatable {
    public let key: String
    public let value: SettingValue
    /// The option as the user has typed it, such as `--limit-rate`.
    public let option: String

    public init(_ key: String, _ value: SettingValue, option: String) {
      self.key = key
      self.value = value
      self.option = option
    }
  }

  public init() {}

  /// The settings that a single request may have. Those of the files with cookies and passwords are not among them,
  /// because the text of a file travels, and not its path.
  public static let keys = [
    "network.headers", "network.userAgent", "network.users", "network.credentialHosts",
    "network.connectTimeout", "network.idleTimeout", "network.lowSpeed", "network.lowSpeedTime",
    "network.totalTimeout", "network.retries", "network.retryDelay", "network.retryCeiling",
    "network.maxRedirects",
  ]

  /// Whether nothing changes the requests of a source.
  public var changesNothing: Bool { values.isEmpty && cookies == nil && netrc == nil }

  public var isEmpty: Bool { changesNothing && expectations.isEmpty }

  /// A copy without expectations, for an engine that was opened with the user's settings and therefore meets them.
  public var withoutExpectations: RequestOptions {
    var own = self
    own.expectations = []
    return own
  }

  /// Sets the value of a setting after checking it.
  public mutating func set(_ name: String, to value: SettingValue) throws(SettingError) {
    guard Self.keys.contains(name), let key = SettingsSchema.key(name) else {
      throw SettingError("\(name) is not a setting of single requests")
    }
    var scratch = Settings()
    try SettingsSchema.set(name, to: value, in: &scratch)
    values[name] = key.value(in: scratch)
  }

  /// Returns these options, and those of an earlier request for what they leave open.
  public func over(_ earlier: RequestOptions) -> RequestOptions {
    var all = earlier
    all.values.merge(values) { _, new in new }
    if case .list(let old) = earlier.values["network.headers"],
      case .list(let new) = values["network.headers"]
    {
      let replaced = Set(new.map(Self.fieldName))
      all.values["network.headers"] = .list(
        old.filter { !replaced.contains(Self.fieldName($0)) } + new)
    }
    all.cookies = cookies ?? earlier.cookies
    all.netrc = netrc ?? earlier.netrc
    all.expectations = expectations
    return all
  }

  private static func fieldName(_ line: String) -> String { line.prefix { $0 != ":" }.lowercased() }

  /// Returns the settings of an engine with the values of these options.
  public func settings(over settings: Settings) -> Settings {
    var settings = settings
    for (name, value) in values {
      // `set` has checked the values.
      try? SettingsSchema.set(name, to: value, in: &settings)
    }
    return settings
  }
}
