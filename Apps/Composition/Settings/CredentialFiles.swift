public import Models
import SystemCalls
import Transport
import Wiring

/// The files with the user's cookies and passwords that the settings name.
public enum CredentialFiles {
  static let sizeLimit = 16 << 20

  /// Reads the files with cookies and passwords.
  /// - Returns: nil if the settings name no files.
  /// - Throws: An error that names the setting, the file and the line, but never shows the content.
  static func load(_ network: Settings.Network) throws(SettingError) -> Credentials? {
    let cookies = try parse("network.cookieFile", network.cookieFile) {
      text throws(CredentialFileError) in try CookieFile(text)
    }
    let netrc = try parse("network.netrcFile", network.netrcFile) {
      text throws(CredentialFileError) in try Netrc(text)
    }
    let known = try users(network.users, over: netrc)
    return cookies == nil && known == nil ? nil : Credentials(cookies: cookies, netrc: known)
  }

  /// Merges the passwords in the settings with those of the file; the settings take precedence.
  private static func users(_ lines: [String], over file: Netrc?) throws(SettingError) -> Netrc? {
    guard !lines.isEmpty else { return file }
    var netrc = file ?? Netrc()
    for line in lines {
      guard let field = HTTPFields.Field(line: line) else { continue }
      let parts = field.value.split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw SettingError(
          "network.users: the entry of \(field.name) is not \"host: name:password\"")
      }
      netrc.set(
        BasicCredentials(user: String(parts[0]), password: String(parts[1])),
        for: field.name.lowercased())
    }
    return netrc
  }

  /// Wraps the chosen transport, whichever adapter that is, so that its requests use the credentials.
  static func apply(_ settings: Settings, to catalogue: inout Catalogue) throws(SettingError) {
    guard let credentials = try load(settings.network) else { return }
    catalogue.wrap(.transport) { CredentialedTransport($0, credentials) }
  }

  /// Returns the warnings about credentials that the user should see before requests are made.
  public static func warnings(_ network: Settings.Network) -> [String] {
    var warnings: [String] = []
    if network.insecure { warnings.append("certificates are not checked (network.insecure)") }
    for (key, path) in [
      ("network.netrcFile", network.netrcFile), ("network.privateKey", network.privateKey),
    ] where !path.isEmpty {
      guard let status = try? FileSystem.status(path), status.kind == .file,
        status.mode & 0o077 != 0
      else { continue }
      warnings.append("\(path) can be read by others (\(key)); use chmod 600 to restrict it")
    }
    return warnings
  }

  private static func parse<Value>(
    _ key: String, _ path: String, _ read: (String) throws(CredentialFileError) -> Value
  ) throws(SettingError) -> Value? {
    guard !path.isEmpty else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.contents(of: path, limit: sizeLimit)
    } catch {
      throw SettingError(
        "\(key): \(error)", isUnreadable: !error.isTooLarge && !error.isMissing)
    }
    do throws(CredentialFileError) {
      return try read(String(decoding: bytes.withoutByteOrderMark, as: UTF8.self))
    } catch {
      throw SettingError("\(key): \(path):\(error.line): \(error.reason)")
    }
  }
}
