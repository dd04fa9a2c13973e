public import Models
import SystemCalls
import Transport
import Wiring

/// The files with the user's cookies, passwords and access keys that the settings name.
public enum CredentialFiles {
  static let sizeLimit = 16 << 20

  /// Reads the files with cookies, passwords and access keys.
  /// - Returns: nil if the settings name no files and no services.
  /// - Throws: An error that names the setting, the file and the line, but never shows the content.
  static func load(_ settings: Settings) throws(SettingError) -> Credentials? {
    let network = settings.network
    let cookies = try parse("network.cookieFile", network.cookieFile) {
      text throws(CredentialFileError) in try CookieFile(text)
    }
    let netrc = try parse("network.netrcFile", network.netrcFile) {
      text throws(CredentialFileError) in try Netrc(text)
    }
    // The settings have refused the lines that are none.
    let entries = network.users.compactMap { HostPassword(line: $0) }
    let known = entries.isEmpty ? nil : HostPasswords(entries)
    let signer = try BucketSigning(settings.s3, environment: SettingsLoader.processEnvironment)
    return cookies == nil && netrc == nil && known == nil && signer == nil
      ? nil : Credentials(cookies: cookies, netrc: netrc, users: known, signer: signer)
  }

  /// Wraps the chosen transport, whichever adapter that is, so that its requests use the credentials.
  static func apply(_ settings: Settings, to catalogue: inout Catalogue) throws(SettingError) {
    guard let credentials = try load(settings) else { return }
    catalogue.wrap(.transport) { CredentialedTransport($0, credentials) }
  }

  /// Returns the warnings about credentials that the user should see before requests are made.
  public static func warnings(_ settings: Settings) -> [String] {
    let network = settings.network
    var warnings: [String] = []
    if network.insecure { warnings.append("certificates are not checked (network.insecure)") }
    for (key, path) in [
      ("network.netrcFile", network.netrcFile), ("network.privateKey", network.privateKey),
      ("s3.credentialsFile", settings.s3.credentialsFile),
    ] where !path.isEmpty {
      guard let status = try? FileSystem.status(path), status.kind == .file,
        status.mode & 0o077 != 0
      else { continue }
      warnings.append("\(path) can be read by others (\(key)); use chmod 600 to restrict it")
    }
    warnings += cookieWarnings(network.cookieFile)
    return warnings
  }

  /// Returns sentences about the lines of a cookie file that are no cookies and are left out.
  private static func cookieWarnings(_ path: String) -> [String] {
    guard !path.isEmpty, let text = try? text(of: path, "network.cookieFile"),
      let file = try? CookieFile(text)
    else { return [] }
    let shown = file.problems.map { "\(path):\($0.line): \($0.reason); the line is left out" }
    let more = file.problemCount - file.problems.count
    return more > 0 ? shown + ["\(path): \(more) more lines are left out"] : shown
  }

  private static func parse<Value>(
    _ key: String, _ path: String, _ read: (String) throws(CredentialFileError) -> Value
  ) throws(SettingError) -> Value? {
    guard !path.isEmpty else { return nil }
    let text = try text(of: path, key)
    do throws(CredentialFileError) {
      return try read(text)
    } catch {
      throw SettingError("\(key): \(path):\(error.line): \(error.reason)")
    }
  }

  /// Returns the content of the file that a setting names if it can be parsed.
  static func checkedText(
    of path: String, _ key: String, _ read: (String) throws(CredentialFileError) -> Void
  ) throws(SettingError) -> String {
    let text = try text(of: path, key)
    do throws(CredentialFileError) {
      try read(text)
    } catch {
      throw SettingError("\(key): \(path):\(error.line): \(error.reason)")
    }
    return text
  }

  /// Returns the content of the file that a setting names.
  static func text(of path: String, _ key: String) throws(SettingError) -> String {
    do {
      let bytes = try FileSystem.contents(of: path, limit: sizeLimit)
      return String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    } catch {
      throw SettingError(
        "\(key): \(error)", isUnreadable: !error.isTooLarge && !error.isMissing)
    }
  }
}
