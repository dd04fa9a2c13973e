import Models
import Transport

/// The party that named the URL of a request. Together with `network.privateAddresses` the origin decides
/// which addresses the request and its redirects may reach. No other policy prevents server-side request
/// forgery (SSRF), by which a public page makes the engine send requests into private networks.
enum RequestOrigin: Sendable, Equatable {
  /// The user, as the source of an `add`, `refresh` or `add --dry-run`.
  case sourceOfUser
  /// The user or a program that requests a single resource (`fetch`, `POST /v1/resources`, a library caller).
  case caller
  /// A list that is stored on this machine or came from a private address.
  case privateList
  /// A list, or a page of one, that came from a public address.
  case publicPage
}

extension AddressPolicy {
  /// Creates the address policy for requests whose URL was named by `origin`.
  init(_ origin: RequestOrigin, _ setting: Settings.PrivateAddresses) {
    self =
      switch (setting, origin) {
      case (.allow, _): .any
      case (_, .publicPage): .publicOnly
      // The user chose the address of the list, but not the targets of its redirects.
      case (_, .sourceOfUser): .noPublicToPrivate
      case (.refuse, .caller), (.refuse, .privateList): .publicOnly
      case (.auto, .caller), (.auto, .privateList): .noPublicToPrivate
      }
  }
}

/// The fields and limits that the settings give to every request; computed once per `Download.Context`.
struct RequestDefaults: Sendable {
  let user: UserFields
  let limits: TransferLimits
  let privateAddresses: Settings.PrivateAddresses
  let retries: RetryPolicy

  init(_ settings: Settings) { self.init(settings, settings.network.requestFields) }

  /// - Parameter fields: The fields of the user.
  init(_ settings: Settings, _ fields: HTTPFields) {
    user = UserFields(fields, hosts: CredentialHosts(settings.network.credentialHosts))
    retries = RetryPolicy(settings.network)
    limits = TransferLimits(settings)
    privateAddresses = settings.network.privateAddresses
  }
}

extension TransportRequest {
  /// Creates a request. The engine has no other way to create one, so every request has an address policy, and only
  /// the fields of the user that its origin may receive.
  init(_ url: HTTPURL, namedBy origin: RequestOrigin, _ terms: RequestTerms) {
    let defaults = terms.defaults
    self.init(
      url: url, fields: terms.fields(for: url.origin), limits: defaults.limits,
      addresses: AddressPolicy(origin, defaults.privateAddresses))
    cookies = terms.cookies
    credentials = terms.credentials
  }

  /// Creates the request that follows a redirect of `request` once more, directly to the URL that has answered.
  /// Its fields and addresses are those of the redirect: no URL behind another origin gets the caller's fields,
  /// not even one of the first origin, the request is not signed, and a public server may have redirected to
  /// public addresses only.
  init(_ request: TransportRequest, redirectedTo head: ResponseHead) {
    let isSameOrigin = !head.hasLeftOrigin && head.url.origin == request.url.origin
    self.init(
      url: head.url, fields: isSameOrigin ? request.fields : HTTPFields(), limits: request.limits,
      addresses: request.addresses.afterHop(from: head.remoteAddress.flatMap { IPAddress($0) }))
    credentials = request.credentials
    cookies = request.cookies
    acceptEncoding = request.acceptEncoding
    isNamedByResponse = true
    hasLeftOrigin = !isSameOrigin || request.hasLeftOrigin
  }
}
