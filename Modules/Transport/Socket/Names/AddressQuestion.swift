import Models

/// A question for the addresses of a name, of one family. The two families are two questions,
/// because their answers come and go at different times (RFC 8305 §3).
struct AddressQuestion: Hashable, Sendable {
  let name: String
  let family: IPAddress.Family
}

/// One address of a name.
struct ResolvedAddress: Hashable, Sendable {
  let ip: IPAddress
  /// The interface of a link-local IPv6 address; 0 if none.
  let scope: UInt32
}

/// The answer to a question.
struct AddressAnswer: Equatable, Sendable {
  let result: Result<[ResolvedAddress], ResolveError>
  /// Nanoseconds for which it holds, as the source says; what says nothing holds for 0.
  let lifetime: UInt64

  init(_ addresses: [ResolvedAddress], lifetime: UInt64) {
    result = .success(addresses)
    self.lifetime = lifetime
  }

  init(_ error: ResolveError) {
    result = .failure(error)
    lifetime = 0
  }
}

/// Why a name has no address.
struct ResolveError: Error, Equatable, Sendable {
  enum Code: Sendable {
    /// The name does not exist.
    case notFound
    /// The name is there and has no address of the family.
    case noAddress
    case timeout
    /// The server does not want to answer.
    case refused
    case serverFailure
    /// The answer cannot be understood.
    case malformed
    /// No server could be reached.
    case unreachable
    /// The text cannot be a name.
    case invalidName
    case stopped
    /// Memory, descriptors, files.
    case system
  }

  let code: Code
  /// The reason in words.
  let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Whether the failure is a property of the name, as opposed to the name server that was asked.
  var isAboutName: Bool {
    switch code {
    case .notFound, .noAddress, .invalidName: true
    default: false
    }
  }
}
