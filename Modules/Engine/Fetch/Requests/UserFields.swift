import Models
import Transport

/// The origins that receive those of the user's request fields that may be credentials.
enum CredentialScope: Sendable, Hashable {
  /// The origin of the source's URL. What the source names elsewhere, such as a next page, a sitemap, a manifest or an
  /// image, receives none.
  case origin(HTTPURL.Origin)
  /// Every URL that the user has named: the URL of a single download, or the entries of a list on this machine.
  case everyEntry
  /// No origin.
  case none

  /// The scope of the requests of a source.
  /// - Parameter key: The key of the source: the canonical URL if it has one.
  init(ofSource key: String) {
    self = (try? HTTPURL(key)).map { .origin($0.origin) } ?? .everyEntry
  }

  var origin: HTTPURL.Origin? { if case .origin(let origin) = self { origin } else { nil } }

  func contains(_ origin: HTTPURL.Origin) -> Bool {
    switch self {
    case .origin(let own): own == origin
    case .everyEntry: true
    case .none: false
    }
  }
}

/// The request fields of the user's settings. Decides which of them a request carries; every request of the engine gets
/// its fields here. Redirects are the concern of `RedirectPolicy`.
struct UserFields: Sendable {
  /// The fields for the origins that receive everything.
  let all: HTTPFields
  /// The fields for all other origins.
  let open: HTTPFields
  private let hasCredentials: Bool
  private let hosts: CredentialHosts

  /// - Parameter hosts: Other hosts that receive credentials, whoever names them.
  init(_ all: HTTPFields, hosts: CredentialHosts = CredentialHosts([])) {
    self.all = all
    self.hosts = hosts
    let open = all.fields.filter { !Self.mayBeCredential($0.name) }
    self.open = HTTPFields(open)
    hasCredentials = open.count < all.count
  }

  /// Returns the fields for a URL that the user, the source or a response of the same origin has named.
  func fields(for origin: HTTPURL.Origin, _ scope: CredentialScope) -> HTTPFields {
    guard hasCredentials, !scope.contains(origin), !hosts.contains(origin) else { return all }
    return open
  }

  /// Adds the fields that a list has for its entry, which take precedence, except for the user's `Referer`.
  func add(_ entry: HTTPFields, to fields: inout HTTPFields) {
    if entry.isEmpty { return }
    for field in entry.fields where !replaces(field.name) { fields.set(field.name, field.value) }
  }

  /// Whether the user's own field takes the place of the list's one.
  func replaces(_ name: String) -> Bool {
    HTTPFields.isSame(name, "Referer") && all["Referer"] != nil
  }

  /// Returns the fields for the robots.txt of a site.
  func robotsFields(_ credentials: RobotsFetcher.Credentials) -> HTTPFields {
    switch credentials {
    case .all: return all
    case .redirected: return HTTPFields()
    case .host:
      // The rules are those for the crawler that requests the document.
      var own = HTTPFields()
      if let agent = all["User-Agent"] { own.append("User-Agent", agent) }
      return own
    }
  }

  /// Whether a field may be a credential: every one may, except those whose meaning is standardised otherwise.
  /// Services name the fields of their keys and tokens as they like.
  static func mayBeCredential(_ name: String) -> Bool { !harmless.contains(name.lowercased()) }

  private static let harmless: Set<String> = [
    "accept", "accept-charset", "accept-language", "cache-control", "dnt", "pragma", "priority",
    "referer", "save-data", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user",
    "sec-gpc", "upgrade-insecure-requests", "user-agent", "x-requested-with",
  ]
}

/// What the requests of one source have in common.
struct RequestTerms: Sendable {
  let defaults: RequestDefaults
  let scope: CredentialScope
  /// The cookies that servers set while the source is read and its resources are downloaded.
  let cookies: CookieJar?
  /// The cookies and passwords of the source's options; nil for those of the engine only.
  let credentials: Credentials?
  /// Whether the terms differ from those of the engine's settings.
  let hasOptions: Bool

  init(
    _ defaults: RequestDefaults, scope: CredentialScope, cookies: CookieJar? = nil,
    credentials: Credentials? = nil, hasOptions: Bool = false
  ) {
    self.defaults = defaults
    self.scope = scope
    self.cookies = cookies
    self.credentials = credentials
    self.hasOptions = hasOptions
  }

  func fields(for origin: HTTPURL.Origin) -> HTTPFields {
    defaults.user.fields(for: origin, scope)
  }
}
