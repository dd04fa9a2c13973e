import Models
import Transport
public import Wiring
import WorkerProcess

/// Registers the transport adapter `url-session`.
public enum URLSessionPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("url-session", for: .transport) { container in
      let network = try container.resolve(.settings).network
      let spoolFolder = try container.resolve(.spoolFolder).path
      try URLSessionSettingsError.check(network)
      let program = WorkerProgram(
        path: try HelperLocator().path(of: "imgdl-urlsession"),
        environment: WorkerEnvironment.passing(
          adding: URLSessionTransport.proxies(network)
            .merging(["TMPDIR": spoolFolder]) { _, new in new }),
        // The helper receives descriptors of spool files and never sends any back.
        limits: FrameLimits(maxDescriptors: 0))
      var configuration = URLSessionTransport.Configuration(
        program: program, spoolFolder: spoolFolder, userAgent: network.userAgent)
      configuration.maxHeaderBytes = network.headerBytes
      configuration.maxHeaderFields = network.headerFields
      return try URLSessionTransport(configuration)
    }
  }
}

extension URLSessionTransport {
  /// Returns the environment variables for proxies, which libcurl reads; URLSession on Linux has no
  /// other way to configure a proxy. Only the helper gets them, because other users could read
  /// passwords on a command line.
  static func proxies(_ network: Settings.Network) -> [String: String] {
    var variables: [String: String] = [:]
    if !network.httpProxy.isEmpty { variables["http_proxy"] = network.httpProxy }
    if !network.httpsProxy.isEmpty { variables["https_proxy"] = network.httpsProxy }
    if !network.noProxy.isEmpty { variables["no_proxy"] = network.noProxy.joined(separator: ",") }
    return variables
  }
}

/// The error for a setting that URLSession on Linux cannot apply. Ignoring the setting silently
/// would be worse than failing.
struct URLSessionSettingsError: Error, CustomStringConvertible {
  let description: String

  static func check(_ network: Settings.Network) throws(URLSessionSettingsError) {
    let defaults = Settings().network
    for (name, isChanged) in [
      ("network.caFile", network.caFile != defaults.caFile),
      ("network.insecure", network.insecure != defaults.insecure),
      ("network.addressFamily", network.addressFamily != defaults.addressFamily),
      ("network.http2", network.http2 != defaults.http2),
      ("network.limitRate", network.limitRate != defaults.limitRate),
      ("network.trailerBytes", network.trailerBytes != defaults.trailerBytes),
      ("network.chunkSizeDigits", network.chunkSizeDigits != defaults.chunkSizeDigits),
      ("network.certificate", network.certificate != defaults.certificate),
      ("network.connections", network.connections != defaults.connections),
      ("network.dnsServers", network.dnsServers != defaults.dnsServers),
    ] where isChanged {
      throw URLSessionSettingsError(
        description: "URLSession does not support \(name); adapters.transport = \"socket\" can")
    }
    // libcurl resolves names itself for some spellings of a SOCKS proxy's URL, and its errors do not
    // tell what the proxy replied.
    for (name, text) in [
      ("network.httpProxy", network.httpProxy), ("network.httpsProxy", network.httpsProxy),
    ] where (try? ProxyServer(text))?.kind == .socks5 {
      throw URLSessionSettingsError(
        description:
          "URLSession does not support SOCKS proxies (\(name)); adapters.transport = \"socket\" can"
      )
    }
  }
}
