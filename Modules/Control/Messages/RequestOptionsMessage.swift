import LibraryAPI
import Models

/// The options of a request: the body of `PUT …/options`, and a part of other bodies.
struct RequestOptionsMessage: Codable, Equatable {
  /// A value that a setting of the whole engine must have.
  struct Expectation: Codable, Equatable {
    var key: String
    /// The value as in the environment; the elements of a list are on lines of their own.
    var value: String
    /// The option that the user has given, for messages; the key if missing.
    var option: String?
  }

  /// The values of settings, as in the environment; the elements of a list are on lines of their own.
  var settings: [String: String]?
  /// The text of a cookie file.
  var cookies: String?
  /// The text of a netrc file.
  var netrc: String?
  var expected: [Expectation]?

  init(_ options: RequestOptions) {
    settings = options.values.isEmpty ? nil : options.values.mapValues(Self.text)
    cookies = options.cookies
    netrc = options.netrc
    expected =
      options.expectations.isEmpty
      ? nil
      : options.expectations.map {
        Expectation(key: $0.key, value: Self.text($0.value), option: $0.option)
      }
  }

  func options() throws(ControlError) -> RequestOptions {
    var options = RequestOptions()
    for (key, text) in (settings ?? [:]).sorted(by: { $0.key < $1.key }) {
      do throws(SettingError) {
        try options.set(key, to: Self.value(text, of: key))
      } catch {
        throw ControlError(.badValue, "\"options\": \(error)")
      }
    }
    options.cookies = cookies
    options.netrc = netrc
    for each in expected ?? [] {
      options.expectations.append(
        RequestOptions.Expectation(
          each.key, try Self.checked(each), option: each.option ?? each.key))
    }
    return options
  }

  private static func checked(_ each: Expectation) throws(ControlError) -> SettingValue {
    guard let key = SettingsSchema.key(each.key) else {
      throw ControlError(.badValue, "\"options\": \(each.key) is not a setting of the engine")
    }
    var scratch = Settings()
    do throws(SettingError) {
      try SettingsSchema.set(each.key, to: value(each.value, of: each.key), in: &scratch)
    } catch {
      throw ControlError(.badValue, "\"options\": \(error)")
    }
    return key.value(in: scratch)
  }

  private static func text(_ value: SettingValue) -> String {
    switch value {
    case .text(let text): text
    case .list(let list): list.joined(separator: "\n")
    case .integer, .number, .flag: value.description
    }
  }

  private static func value(_ text: String, of key: String) -> SettingValue {
    guard case .list? = SettingsSchema.key(key)?.value(in: Settings()) else { return .text(text) }
    return .list(text.split(separator: "\n").map(String.init))
  }
}
