/// The command line of `imgdl-origin`.
public struct OriginArguments: Sendable {
  public var configuration = OriginConfiguration()
  /// The file that the port is written to once the server listens.
  public var portFile: String?
  /// Whether the program exits at the end of its standard input, and thus with its parent process.
  public var endsWithInput = false
  public var showsHelp = false

  public static let help = """
    usage: imgdl-origin [DIR] [options]

    Serves the files of DIR, a series, or both on the loopback interface, and prints the URL.

      --series DIR       serve the images of DIR as /series and /series/{id}/slice/{name}
      --port N           listen on port N; default: a free port
      --bind ADDRESS     listen on ADDRESS of the loopback interface, such as ::1; default:
                         127.0.0.1; repeatable
      --redirect URL     redirect requests for missing files to URL followed by the requested path
      --port-file FILE   write the port to FILE once the server listens
      --log FILE         append a line of JSON to FILE for each request
      --latency TIME     wait for TIME before each response: 50ms, 2s
      --shuffle          wait up to 100 ms longer at random, so that responses arrive out of order
      --rate SIZE        limit each connection to SIZE bytes per second: 500K, 2M
      --fault KIND:PCT   inject a fault into PCT percent of the responses; repeatable. Kinds:
                         \(kinds[0])
                         \(kinds[1])
      --seed N           seed of the random choice of requests with faults; default: 0
      --retry-after N    seconds in the Retry-After field of 429 and 503; default: 1
      --exit-with-stdin  exit at the end of standard input
      --help             show this help and exit

    """

  private static let kinds: [String] = {
    let names = Fault.allCases.map(\.rawValue)
    return [names.prefix(8), names.dropFirst(8)].map { $0.joined(separator: " ") }
  }()

  /// - Parameter arguments: The arguments without the program's name.
  public init(_ arguments: [String]) throws(OriginError) {
    configuration.keepsEntries = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        guard configuration.folder == nil else { throw Self.wrong("more than one folder") }
        configuration.folder = argument
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if try setFlag(name) {
        guard parts.count == 1 else { throw Self.wrong("\(name) takes no value") }
        continue
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw Self.wrong("\(name) needs a value")
      }
      try setOption(name, value)
    }
    if !showsHelp, configuration.folder == nil, configuration.series == nil {
      throw Self.wrong("neither a folder nor --series is given")
    }
  }

  /// Sets `name` and returns true if it is an option without a value. Throws if it is no option.
  private mutating func setFlag(_ name: String) throws(OriginError) -> Bool {
    switch name {
    case "--shuffle": configuration.jitter = .milliseconds(100)
    case "--exit-with-stdin", "--exit-with-parent": endsWithInput = true
    case "--help", "-h": showsHelp = true
    case "--series", "--port", "--bind", "--port-file", "--log", "--latency", "--rate", "--fault",
      "--redirect",
      "--seed", "--retry-after":
      return false
    default: throw Self.wrong("unknown option \(name)")
    }
    return true
  }

  private mutating func setOption(_ name: String, _ value: String) throws(OriginError) {
    switch name {
    case "--series": configuration.series = value
    case "--port": configuration.port = try Self.number(name, value)
    case "--bind":
      // The first address replaces the default.
      configuration.addresses = hasAddresses ? configuration.addresses + [value] : [value]
      hasAddresses = true
    case "--port-file": portFile = value
    case "--log": configuration.logFile = value
    case "--latency": configuration.latency = try Self.duration(name, value)
    case "--rate": configuration.rate = try Self.size(name, value)
    case "--fault": configuration.faults.append(try Self.fault(value))
    case "--redirect": configuration.redirect = value
    case "--retry-after": configuration.retryAfter = try Self.number(name, value)
    default: configuration.seed = UInt64(try Self.number(name, value))
    }
  }

  private var hasAddresses = false

  private static func number(_ name: String, _ value: String) throws(OriginError) -> Int {
    guard let number = Int(value), number >= 0 else {
      throw wrong("\(name) \(value): not a number")
    }
    return number
  }

  private static func duration(_ name: String, _ value: String) throws(OriginError) -> Duration {
    let digits = value.prefix { $0.isNumber }
    if let number = Int(digits), number <= 86_400_000 {
      switch value.dropFirst(digits.count) {
      case "ms": return .milliseconds(number)
      case "s": return .seconds(number)
      default: break
      }
    }
    throw wrong("\(name) \(value): not a time such as 50ms or 2s")
  }

  /// K, M and G are powers of 1,024, as with curl and wget.
  private static func size(_ name: String, _ value: String) throws(OriginError) -> Int {
    let digits = value.prefix { $0.isNumber }
    let shifts = ["": 0, "K": 10, "M": 20, "G": 30]
    guard let number = Int(digits), number > 0, number < 1 << 30,
      let shift = shifts[value.dropFirst(digits.count).uppercased()]
    else { throw wrong("\(name) \(value): not a size such as 500K or 2M") }
    return number << shift
  }

  private static func fault(_ value: String) throws(OriginError) -> FaultRate {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard let fault = Fault(rawValue: String(parts[0])) else {
      let known = Fault.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong("--fault \(value): choose one of \(known)")
    }
    guard parts.count == 2, let percent = Double(parts[1]), (0...100).contains(percent) else {
      throw wrong("--fault \(value): write KIND:PERCENT, as in reset:5")
    }
    return FaultRate(fault, percent: percent)
  }

  private static func wrong(_ text: String) -> OriginError { OriginError(.argument, text) }
}
