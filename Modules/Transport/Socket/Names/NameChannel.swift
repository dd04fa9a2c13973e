import CAres
import Glibc
import Models
import SystemCalls

/// Look-ups with c-ares, all of them over a few sockets: `/etc/hosts` first, then the servers.
///
/// Confined to the resolver's thread.
final class NameChannel {
  typealias Completion = (AddressAnswer) -> Void

  private let handle: ares_channel
  private let watch: SocketWatch
  private let options: NameOptions
  /// Look-ups that have no answer yet.
  private(set) var count = 0

  /// What a look-up's callback needs; C holds the only reference until the answer.
  private final class Ticket {
    let channel: NameChannel
    let question: AddressQuestion
    let completion: Completion

    init(_ channel: NameChannel, _ question: AddressQuestion, _ completion: @escaping Completion) {
      self.channel = channel
      self.question = question
      self.completion = completion
    }
  }

  /// - Parameter isTelling: the first server that answers counts, even if it answers that it failed
  ///   or refuses. Else the next one is asked then, and with none left c-ares cannot tell such an
  ///   answer from a server that cannot be reached.
  init(
    _ options: NameOptions, _ poller: Poller, isTelling: Bool = false
  ) throws(ResolveError) {
    self.options = options
    watch = SocketWatch(poller)
    handle = try Self.open(options, watch, isTelling)
    guard !options.servers.isEmpty else { return }
    let list = options.servers.map(\.description).joined(separator: ",")
    let code = ares_set_servers_ports_csv(handle, list)
    guard code == ARES_SUCCESS else {
      ares_destroy(handle)
      throw Self.error(code, "the servers \(list) cannot be used")
    }
  }

  /// Ends all look-ups with `.stopped`. Call it once, and nothing after it.
  func close() { ares_destroy(handle) }

  private static func open(
    _ options: NameOptions, _ watch: SocketWatch, _ isTelling: Bool
  ) throws(ResolveError) -> ares_channel {
    var settings = ares_options()
    settings.flags = isTelling ? ARES_FLAG_NOCHECKRESP : 0
    settings.timeout = options.milliseconds
    settings.tries = options.tries
    settings.sock_state_cb = { data, descriptor, reads, writes in
      guard let data else { return }
      Unmanaged<SocketWatch>.fromOpaque(data).takeUnretainedValue()
        .change(descriptor, reads: reads != 0, writes: writes != 0)
    }
    settings.sock_state_cb_data = Unmanaged.passUnretained(watch).toOpaque()
    let mask =
      ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB
      | ARES_OPT_LOOKUPS
      | ARES_OPT_RESOLVCONF
    var channel: ares_channel?
    // c-ares copies the texts.
    let code = withTexts("fb", options.configurationFile) { lookups, file in
      settings.lookups = lookups
      settings.resolvconf_path = file
      return ares_init_options(&channel, &settings, mask)
    }
    guard code == 0, let channel else { throw error(code, "names cannot be looked up") }
    return channel
  }

  private static func withTexts(
    _ first: String, _ second: String,
    _ body: (UnsafeMutablePointer<CChar>, UnsafeMutablePointer<CChar>) -> Int32
  ) -> Int32 {
    var first = Array(first.utf8CString)
    var second = Array(second.utf8CString)
    return first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        guard let a = first.baseAddress, let b = second.baseAddress else { return Int32(0) }
        return body(a, b)
      }
    }
  }

  /// Calls `completion` once, perhaps before it returns.
  func look(up question: AddressQuestion, _ completion: @escaping Completion) {
    var hints = ares_addrinfo_hints()
    hints.ai_family = question.family == .v4 ? AF_INET : AF_INET6
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    count += 1
    let ticket = Unmanaged.passRetained(Ticket(self, question, completion))
    ares_getaddrinfo(
      handle, question.name, nil, &hints,
      { argument, status, _, list in
        defer { if let list { ares_freeaddrinfo(list) } }
        guard let argument else { return }
        let ticket = Unmanaged<Ticket>.fromOpaque(argument).takeRetainedValue()
        ticket.channel.count -= 1
        ticket.completion(ticket.channel.answer(status, list, ticket.question))
      }, ticket.toOpaque())
  }

  /// Milliseconds until `process` has to be called though nothing came; -1 for no end.
  var patience: Int32 {
    var time = timeval()
    guard ares_timeout(handle, nil, &time) != nil else { return -1 }
    let milliseconds = Int(time.tv_sec) &* 1_000 &+ (Int(time.tv_usec) &+ 999) / 1_000
    return Int32(clamping: max(0, milliseconds))
  }

  /// What the poller told of a descriptor of this channel; nil: only the time has passed.
  func process(_ descriptor: Int32?, _ readiness: Poller.Readiness = []) {
    let none = Int32(-1)  // ARES_SOCKET_BAD
    guard let descriptor else { return ares_process_fd(handle, none, none) }
    let isBroken = readiness.contains(.failed) || readiness.contains(.hungUp)
    ares_process_fd(
      handle, readiness != .output ? descriptor : none,
      isBroken || readiness.contains(.output) ? descriptor : none)
  }

  func owns(_ descriptor: Int32) -> Bool { watch.descriptors.contains(descriptor) }

  private func answer(
    _ status: Int32, _ list: UnsafeMutablePointer<ares_addrinfo>?, _ question: AddressQuestion
  ) -> AddressAnswer {
    guard status == 0 else { return AddressAnswer(error(status)) }
    var addresses: [ResolvedAddress] = []
    var seconds = Int32.max
    var alias = list?.pointee.cnames
    while let entry = alias {
      seconds = min(seconds, entry.pointee.ttl)
      alias = entry.pointee.next
    }
    var node = list?.pointee.nodes
    while let entry = node {
      node = entry.pointee.ai_next
      seconds = min(seconds, entry.pointee.ai_ttl)
      guard let raw = entry.pointee.ai_addr, let address = SocketAddress(raw, port: 0),
        address.ip.family == question.family
      else { continue }
      let resolved = ResolvedAddress(ip: address.ip, scope: address.scope)
      if !addresses.contains(resolved) { addresses.append(resolved) }
    }
    guard !addresses.isEmpty else {
      return AddressAnswer(ResolveError(.noAddress, Self.noAddress))
    }
    return AddressAnswer(addresses, lifetime: UInt64(clamping: seconds) &* 1_000_000_000)
  }
}

/// Tells the poller which sockets of c-ares wait for what.
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
      // One that cannot be watched is like a server that does not answer.
      _ = poller.add(descriptor, interest, token: token)
    } else {
      poller.change(descriptor, interest, token: token)
    }
  }
}

/// Failures in words.
extension NameChannel {
  private static let noAddress = "the name has no address"

  private func error(_ status: Int32) -> ResolveError {
    switch status {
    case ARES_ETIMEOUT:
      ResolveError(.timeout, "no answer from the DNS server \(servers)")
    case ARES_ECONNREFUSED:
      ResolveError(.unreachable, "the DNS server \(servers) cannot be reached\(missingFile)")
    case ARES_EREFUSED:
      ResolveError(.refused, "the DNS server \(servers) refuses to answer")
    case ARES_ESERVFAIL:
      ResolveError(.serverFailure, "the DNS server \(servers) failed (SERVFAIL)")
    case ARES_ENOTIMP:
      ResolveError(.serverFailure, "the DNS server \(servers) does not know such a question")
    default: Self.error(status, "look-up failed")
    }
  }

  private static func error(_ status: Int32, _ what: String) -> ResolveError {
    let text = String(cString: ares_strerror(status))
    switch status {
    case ARES_ENOTFOUND: return ResolveError(.notFound, "there is no such name")
    case ARES_ENODATA: return ResolveError(.noAddress, noAddress)
    case ARES_EBADNAME: return ResolveError(.invalidName, "it is not a name")
    case ARES_EDESTRUCTION, ARES_ECANCELLED:
      return ResolveError(.stopped, "the transport is shut down")
    case ARES_EBADRESP, ARES_EFORMERR:
      return ResolveError(.malformed, "the DNS server's answer cannot be understood (\(text))")
    default: return ResolveError(.system, "\(what): \(text)")
    }
  }

  /// Who is asked, as in `192.0.2.1:53 or 192.0.2.2:53`.
  private var servers: String {
    var list: UnsafeMutablePointer<ares_addr_port_node>?
    guard ares_get_servers_ports(handle, &list) == 0 else { return "" }
    defer { if let list { ares_free_data(list) } }
    var names: [String] = []
    var next = list
    while let node = next {
      let length = node.pointee.family == AF_INET ? 4 : 16
      let bytes = withUnsafeBytes(of: node.pointee.addr) { Array($0.prefix(length)) }
      if let ip = IPAddress(bytes: bytes) {
        let port = node.pointee.udp_port
        names.append(IPEndpoint(address: ip, port: port > 0 ? Int(port) : 53).description)
      }
      next = node.pointee.next
    }
    return names.joined(separator: " or ")
  }

  /// Without the file the server is this machine, which few machines are.
  private var missingFile: String {
    guard options.servers.isEmpty, !FileSystem.exists(options.configurationFile) else { return "" }
    return " (\(options.configurationFile) does not exist)"
  }
}
