import Hashing
import LibraryAPI
import Models
import Transport

/// The request defaults, credentials and times that result from the options of a request. They apply to the requests of
/// its source or single download.
struct OptionTerms: Sendable {
  let options: RequestOptions
  let defaults: RequestDefaults
  /// The cookies and passwords of the options; they take precedence over those of the engine.
  let credentials: Credentials?
  /// A digest of everything that may change what a server answers; empty if nothing does. It is a part of the keys of
  /// requests, so that requests with other cookies or fields share neither a transfer nor an answer.
  let identity: String

  /// - Throws: `.policy` if the text of a file has no usable line, or if a value cannot be sent.
  init(_ options: RequestOptions, over settings: Settings) throws(LibraryError) {
    self.options = options.withoutExpectations
    let own = options.settings(over: settings)
    guard own.network.userAgent.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw LibraryError(.policy, "network.userAgent has a control character")
    }
    var fields = own.network.requestFields
    if options.values["network.userAgent"] != nil, fields["User-Agent"] == nil {
      fields.append("User-Agent", own.network.userAgent)
    }
    defaults = RequestDefaults(own, fields)
    credentials = try Self.credentials(of: options, own)
    identity = Self.identity(of: options)
  }

  private static func credentials(
    of options: RequestOptions, _ own: Settings
  ) throws(LibraryError) -> Credentials? {
    let cookies = try options.cookies.map { (text) throws(LibraryError) in
      try parsed("the cookies") { () throws(CredentialFileError) in try CookieFile(text) }
    }
    let netrc = try options.netrc.map { (text) throws(LibraryError) in
      try parsed("the netrc file") { () throws(CredentialFileError) in try Netrc(text) }
    }
    // The settings have refused the lines that are none.
    let users =
      options.values["network.users"] == nil
      ? nil : HostPasswords(own.network.users.compactMap { HostPassword(line: $0) })
    return cookies == nil && netrc == nil && users == nil
      ? nil : Credentials(cookies: cookies, netrc: netrc, users: users)
  }

  private static func parsed<Value>(
    _ name: String, _ body: () throws(CredentialFileError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(CredentialFileError) {
      return try body()
    } catch {
      throw LibraryError(.policy, "\(name): line \(error.line): \(error.reason)")
    }
  }

  private static func identity(of options: RequestOptions) -> String {
    var parts: [String] = []
    for key in ["network.headers", "network.userAgent", "network.users"] {
      if let value = options.values[key] { parts.append("\(key)=\(value)") }
    }
    if let cookies = options.cookies { parts.append("cookies=\(cookies)") }
    if let netrc = options.netrc { parts.append("netrc=\(netrc)") }
    if parts.isEmpty { return "" }
    let hasher = SHA256Hasher()
    for part in parts {
      // The length keeps two parts apart, whatever they contain.
      hasher.update("\(part.utf8.count)\n\(part)".utf8.span.bytes)
    }
    return hasher.finalize().description
  }

  /// The size of the options in memory, in bytes.
  var byteCount: Int {
    let texts = (options.cookies?.utf8.count ?? 0) + (options.netrc?.utf8.count ?? 0)
    return options.values.values.reduce(texts) { $0 + $1.description.utf8.count }
  }
}

/// The options of a source as the library stores them: without credentials, but with their names.
struct StoredOptions: Sendable, Equatable {
  let identity: String
  let options: RequestOptions
  /// The fields and options that are not stored, as users know them.
  private(set) var unstored: [String] = []

  init(_ terms: OptionTerms) {
    identity = terms.identity
    var kept = RequestOptions()
    for (key, value) in terms.options.values {
      switch (key, value) {
      case ("network.users", _): unstored.append("--user")
      case ("network.headers", .list(let lines)):
        let open = lines.filter { !UserFields.mayBeCredential(Self.name($0)) }
        unstored += lines.map(Self.name).filter(UserFields.mayBeCredential)
        // The options have checked the values.
        if !open.isEmpty { try? kept.set(key, to: .list(open)) }
      default: try? kept.set(key, to: value)
      }
    }
    if terms.options.cookies != nil { unstored.append("--load-cookies") }
    if terms.options.netrc != nil { unstored.append("--netrc-file") }
    unstored.sort()
    options = kept
  }

  private static func name(_ line: String) -> String { String(line.prefix { $0 != ":" }) }

  /// Reads the stored text, one property a line. Lines that a later version may have added are left out.
  init?(text: String?) {
    guard let text else { return nil }
    var identity = ""
    var options = RequestOptions()
    var lists: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let (name, value) = (String(line[..<equals]), String(line[line.index(after: equals)...]))
      switch name {
      case "identity": identity = value
      case "unstored": unstored.append(value)
      default: lists[name, default: []].append(value)
      }
    }
    for (name, values) in lists {
      guard let value = values.first else { continue }
      if case .list? = SettingsSchema.key(name)?.value(in: Settings()) {
        try? options.set(name, to: .list(values))
      } else {
        try? options.set(name, to: .text(value))
      }
    }
    self.identity = identity
    self.options = options
  }

  /// The text for the library; nil if there is nothing to store.
  var text: String? {
    var lines = identity.isEmpty ? [] : ["identity=\(identity)"]
    lines += unstored.map { "unstored=\($0)" }
    for (key, value) in options.values.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .list(let list): lines += list.map { "\(key)=\($0)" }
      case .text(let text): lines.append("\(key)=\(text)")
      case .integer, .number, .flag: lines.append("\(key)=\(value)")
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
