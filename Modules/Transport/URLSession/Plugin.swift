import Models
import SystemCalls
import Transport
public import Wiring
import WorkerProcess

/// Makes the adapter known as `url-session`.
public enum URLSessionPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    register(in: &catalogue, spoolFolder: Machine.environment("TMPDIR") ?? "/var/tmp")
  }

  /// - Parameter spoolFolder: where bodies pass through; best on the file system of the library.
  public static func register(in catalogue: inout Catalogue, spoolFolder: String) {
    catalogue.register("url-session", for: .transport) { container in
      let network = try container.require(.settings).network
      try URLSessionSettingsError.check(network)
      let program = WorkerProgram(
        path: try HelperLocator().path(of: "imgdl-urlsession"),
        environment: WorkerEnvironment.passing(
          WorkerEnvironment.names + URLSessionTransport.proxyNames,
          adding: ["TMPDIR": spoolFolder]))
      var configuration = URLSessionTransport.Configuration(
        program: program, spoolFolder: spoolFolder, userAgent: network.userAgent)
      configuration.maxHeaderBytes = network.headerBytes
      configuration.maxHeaderFields = network.headerFields
      return try URLSessionTransport(configuration)
    }
  }
}

extension URLSessionTransport {
  /// What libcurl reads; nothing else can give URLSession a proxy here.
  static let proxyNames = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
}

/// A setting that URLSession on Linux cannot obey. Silence would be worse than no transport.
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
    ] where isChanged {
      throw URLSessionSettingsError(
        description: "URLSession cannot obey \(name); adapters.transport = \"socket\" can")
    }
  }
}
