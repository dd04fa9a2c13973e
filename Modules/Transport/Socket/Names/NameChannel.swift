import CAres
import Models
import SystemCalls
import Threading

/// A channel of c-ares, which looks names up first in `/etc/hosts`, then at the DNS servers over a
/// few sockets. Confined to the resolver's thread.
final class NameChannel {
  typealias Completion = (AddressAnswer) -> Void

  private let handle: OpaquePointer
  private let watch: SocketWatch
  private let options: NameOptions
  /// The number of pending lookups.
  private(set) var count = 0

  /// A pending lookup; C holds the only reference to it until the answer arrives.
  private final class PendingLookUp {
    let channel: NameChannel
    let lookup: AddressLookup
    let completion: Completion

    init(_ channel: NameChannel, _ lookup: AddressLookup, _ completion: @escaping Completion) {
      self.channel = channel
      self.lookup = lookup
      self.completion = completion
    }
  }

  /// - Parameter isDiagnostic: Whether the first server that responds decides, even with a failure
  ///   or a refusal. Otherwise c-ares asks the next server after such a response; if no server is
  ///   left, its status is that of unreachable servers.
  init(
    _ options: NameOptions, _ poller: Poller, isDiagnostic: Bool = false
  ) throws(ResolveError) {
    self.options = options
    watch = SocketWatch(poller)
    var channel: OpaquePointer?
    let servers = options.servers.map(\.description).joined(separator: ",")
    let status = imgdl_ares_open(
      &channel, options.configurationFile, options.milliseconds, options.tries,
      isDiagnostic ? 1 : 0,
      servers.isEmpty ? nil : servers,
      { data, descriptor, reads, writes in
        guard let data else { return }
        Unmanaged<SocketWatch>.fromOpaque(data).takeUnretainedValue()
          .change(descriptor, reads: reads != 0, writes: writes != 0)
      }, Unmanaged.passUnretained(watch).toOpaque())
    guard status == 0, let channel else {
      throw Self.error(status, "names cannot be looked up")
    }
    handle = channel
  }

  /// Ends all lookups with `.stopped`. The channel must not be used afterwards.
  func close() { imgdl_ares_close(handle) }

  /// Calls `completion` once, possibly before this method returns.
  func lookUp(_ lookup: AddressLookup, _ completion: @escaping Completion) {
    count += 1
    let lookUp = Unmanaged.passRetained(PendingLookUp(self, lookup, completion))
    imgdl_ares_look_up(
      handle, lookup.name, lookup.family == .v6 ? 1 : 0,
      { argument, status, seconds, addresses, count in
        guard let argument else { return }
        let lookUp = Unmanaged<PendingLookUp>.fromOpaque(argument).takeRetainedValue()
        lookUp.channel.count -= 1
        let size = Int(count) * Int(imgdl_ares_address_size)
        let bytes = UnsafeBufferPointer(start: addresses, count: size)
        lookUp.completion(lookUp.channel.makeAnswer(status, seconds, bytes, lookUp.lookup))
      }, lookUp.toOpaque())
  }

  /// The time in milliseconds after which `process` must be called even without an event; -1 means
  /// no limit.
  var millisecondsToTimeout: Int32 { imgdl_ares_timeout_milliseconds(handle) }

  /// Processes an event of one of the channel's descriptors; nil means that only time has passed.
  func process(_ descriptor: Int32?, _ readiness: Poller.Readiness = []) {
    guard let descriptor else { return imgdl_ares_process(handle, -1, -1) }
    let isBroken = readiness.contains(.failed) || readiness.contains(.hungUp)
    imgdl_ares_process(
      handle, readiness != .output ? descriptor : -1,
      isBroken || readiness.contains(.output) ? descriptor : -1)
  }

  func owns(_ descriptor: Int32) -> Bool { watch.descriptors.contains(descriptor) }

  private func makeAnswer(
    _ status: Int32, _ seconds: Int32, _ bytes: UnsafeBufferPointer<UInt8>,
    _ lookup: AddressLookup
  ) -> AddressAnswer {
    guard status == 0 else { return AddressAnswer(error(status)) }
    let size = Int(imgdl_ares_address_size)
    let length = lookup.family == .v4 ? 4 : 16
    var addresses: [ResolvedAddress] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      guard let ip = IPAddress(bytes: bytes[start..<start + length]) else { continue }
      let scope = UnsafeRawBufferPointer(bytes).loadUnaligned(
        fromByteOffset: start + 16, as: UInt32.self)
      let resolved = ResolvedAddress(ip: ip, scope: scope)
      if !addresses.contains(resolved) { addresses.append(resolved) }
    }
    guard !addresses.isEmpty else {
      return AddressAnswer(ResolveError(.noAddress, Self.noAddress))
    }
    return AddressAnswer(addresses, lifetime: UInt64(clamping: seconds) &* 1_000_000_000)
  }
}

/// Registers the sockets of c-ares with the poller.
private final class SocketWatch {
  private let poller: Poller
  private(set) var descriptors: Set<Int32> = []

  init(_ poller: Poller) { self.poller = poller }

  func change(_ descriptor: Int32, reads: Bool, writes: Bool) {
    guard reads || writes else {
      descriptors.remove(descriptor)
      return poller.remove(descriptor)
    }
    var interest: Poller.Readiness = []
    if reads { interest.insert(.input) }
    if writes { interest.insert(.output) }
    let token = Resolver.token(descriptor)
    if descriptors.insert(descriptor).inserted {
      // A socket that cannot be watched is treated like a server that does not respond.
      try? poller.add(descriptor, interest, token: token)
    } else {
      poller.change(descriptor, interest, token: token)
    }
  }
}

/// The conversion of the statuses of c-ares to errors with texts for users.
extension NameChannel {
  private static let noAddress = "the name has no address"

  private func error(_ status: Int32) -> ResolveError {
    switch Int(status) {
    case imgdl_ares_timeout:
      ResolveError(.timeout, "no response from the DNS server \(servers)")
    case imgdl_ares_unreachable:
      ResolveError(.unreachable, "the DNS server \(servers) cannot be reached\(missingFile)")
    case imgdl_ares_refused:
      ResolveError(.refused, "the DNS server \(servers) refuses to answer")
    case imgdl_ares_server_failure:
      ResolveError(.serverFailure, "the DNS server \(servers) failed (SERVFAIL)")
    case imgdl_ares_not_implemented:
      ResolveError(.serverFailure, "the DNS server \(servers) does not support the query type")
    default: Self.error(status, "look-up failed")
    }
  }

  private static func error(_ status: Int32, _ what: String) -> ResolveError {
    let text = imgdl_ares_status_text(status).map { String(cString: $0) } ?? ""
    switch Int(status) {
    case imgdl_ares_not_found: return ResolveError(.notFound, "the name does not exist")
    case imgdl_ares_no_data: return ResolveError(.noAddress, noAddress)
    case imgdl_ares_bad_name: return ResolveError(.invalidName, "it is not a valid host name")
    case imgdl_ares_stopped, imgdl_ares_cancelled:
      return ResolveError(.stopped, "the transport is shut down")
    case imgdl_ares_bad_response, imgdl_ares_format_error:
      return ResolveError(.malformed, "the DNS server's response cannot be parsed (\(text))")
    default: return ResolveError(.system, "\(what): \(text)")
    }
  }

  /// The queried servers as text, as in `192.0.2.1:53 or 192.0.2.2:53`.
  private var servers: String {
    var buffer = [CChar](repeating: 0, count: 256)
    imgdl_ares_servers(handle, &buffer, Int32(buffer.count))
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The end of the message about unreachable servers if the file with the system's servers is
  /// missing: c-ares then queries this machine, on which a DNS server seldom runs.
  private var missingFile: String {
    guard options.servers.isEmpty, !FileSystem.exists(options.configurationFile) else { return "" }
    return " (\(options.configurationFile) does not exist)"
  }
}
