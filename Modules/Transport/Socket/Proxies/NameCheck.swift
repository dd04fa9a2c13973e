import Models
import Synchronization
import Transport

/// Checks whether the address policy allows a host to which a proxy will connect, by the addresses to which
/// this machine resolves the host's name.
///
/// The address that the proxy chooses is unknown, so the policy must allow every address of the name.
/// Without a look-up, as for SOCKS proxies, only the name itself is judged.
enum NameCheck {
  static func checkAddresses(
    _ url: HTTPURL, _ policy: AddressPolicy, _ resolver: Resolver, looksUp: Bool
  ) async throws(TransportError) {
    let addresses: [IPAddress]
    if let numeric = IPAddress(url.host) {
      addresses = [numeric]
    } else if policy == .publicOnly, !looksUp {
      guard PrivateName.isPrivate(url.host) else { return }
      throw TransportError(
        .addressRefused, url: url,
        detail: "\"\(url.host)\" is not a public name, and the source must not lead there")
    } else if policy == .publicOnly {
      addresses = try await lookUp(url, resolver)
    } else {
      return
    }
    guard let forbidden = addresses.first(where: { !policy.allows($0) }) else { return }
    throw TransportError(
      .addressRefused, url: url,
      detail: "\(forbidden) is not a public address, and the source must not lead there")
  }

  private static func lookUp(
    _ url: HTTPURL, _ resolver: Resolver
  ) async throws(TransportError) -> [IPAddress] {
    async let six = resolve(AddressLookup(name: url.host, family: .v6), resolver)
    async let four = resolve(AddressLookup(name: url.host, family: .v4), resolver)
    let answers = await [six, four]
    let addresses = answers.flatMap { (try? $0.get()) ?? [] }.map(\.ip)
    guard addresses.isEmpty else { return addresses }
    let failures = answers.compactMap { answer -> ResolveError? in
      if case .failure(let error) = answer { error } else { nil }
    }
    let mostSpecific = failures.first { $0.code != .noAddress } ?? failures.first
    throw TransportError(
      .dns, url: url,
      detail:
        "cannot resolve \"\(url.host)\" here, which the address policy needs also with a proxy"
        + " (network.privateAddresses = allow disables the check): \(mostSpecific?.reason ?? "no address")"
    )
  }

  private static func resolve(
    _ lookup: AddressLookup, _ resolver: Resolver
  ) async -> Result<[ResolvedAddress], ResolveError> {
    let pending = PendingAnswer()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending.wait(continuation)
        resolver.resolve(lookup) { pending.resume($0) }
        // If the task was cancelled before `wait`, the cancellation handler found no continuation
        // to resume.
        if Task.isCancelled { pending.resume(Self.cancelled) }
      }
    } onCancel: {
      pending.resume(Self.cancelled)
    }
  }

  private static let cancelled = Result<[ResolvedAddress], ResolveError>.failure(
    ResolveError(.stopped, "cancelled"))
}

/// Resumes a continuation once, with an answer or a cancellation, whichever comes first.
private final class PendingAnswer: Sendable {
  typealias Answer = Result<[ResolvedAddress], ResolveError>

  private let continuation = Mutex<CheckedContinuation<Answer, Never>?>(nil)

  func wait(_ new: CheckedContinuation<Answer, Never>) { continuation.withLock { $0 = new } }

  func resume(_ answer: Answer) {
    continuation.withLock { $0.take() }?.resume(returning: answer)
  }
}
