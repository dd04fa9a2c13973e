import Models

/// The proxies that options name. The library has one proxy for all downloads, so another one is refused: the
/// download would otherwise reach its host directly, without the user's knowledge.
extension Aria2Machine {
  func checkProxies(_ options: OptionValues) throws(RPCError) {
    for (name, setting, configured) in [
      ("http-proxy", "network.httpProxy", configuration.proxies.http),
      ("https-proxy", "network.httpsProxy", configuration.proxies.https),
    ] {
      for option in [name, "all-proxy"] {
        guard let value = options[option], !value.isEmpty else { continue }
        let isSame = (try? ProxyServer(value)).map { $0 == (try? ProxyServer(configured)) }
        guard isSame == true else {
          throw RPCError(
            "The option \(option) names another proxy than the setting \(setting) of imgdld, which all "
              + "downloads use.")
        }
      }
    }
  }
}
