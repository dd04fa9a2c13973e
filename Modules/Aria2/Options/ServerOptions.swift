import JSON
import Models

/// The options of the server, which are the standard values of its downloads, and the rules for the options of a
/// download that depend on the server: its folder, its proxies and its limits.
struct ServerOptions: Sendable {
  /// The absolute path of the library, below which all folders of downloads are.
  private let root: String
  /// The proxies of the library for http and https; empty texts for none.
  private let proxies: (http: String, https: String)
  private(set) var values = OptionValues()
  /// The names of the options without an effect that have been reported.
  private var reported: Set<String> = []

  /// - Parameter options: The names and values of the options that the server is started with, in order.
  init(
    _ options: [(name: String, value: String)] = [], root: String,
    proxies: (http: String, https: String) = ("", "")
  ) throws(RPCError) {
    (self.root, self.proxies) = (root, proxies)
    for (name, value) in options { try values.set(name, to: value) }
    try check(values)
  }

  /// Sets the options that a client names: all of them or, after an error, none.
  mutating func change(_ members: [JSONValue.Member]) throws(RPCError) {
    var values = values
    try values.set(members)
    for name in ["gid", "pause", "out", "checksum"] { values.remove(name) }
    try check(values)
    _ = try RequestFields(values, uri: "")
    self.values = values
  }

  /// Takes over the limit of concurrent transfers of the library, which other clients change as well.
  mutating func adoptConcurrency(_ limit: Int) {
    guard limit > 0, limit != concurrency else { return }
    // A limit beyond the range of the option is stated as the end of the range.
    try? values.set("max-concurrent-downloads", to: "\(min(limit, 1_024))")
  }

  /// Returns the names of the options without an effect that no earlier call has returned.
  mutating func takeIgnored(of options: OptionValues) -> [String] {
    options.names.compactMap { name in
      if OptionTable.definition(name)?.effect == .honoured { return nil }
      if name == "save-session", sessionCopyName != nil { return nil }
      let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(80)))
      return reported.count < 1_000 && reported.insert(name).inserted ? name : nil
    }
  }

  // MARK: - Options of the server

  var concurrency: Int { integer("max-concurrent-downloads") }

  /// The rate limit of all transfers together in bytes per second; 0 means none.
  var overallLimit: Int { integer("max-overall-download-limit") }

  /// The maximum number of results of stopped downloads.
  var resultLimit: Int { integer("max-download-result") }

  /// The name of the file of the option `save-session`; nil if it names no permitted one.
  var sessionCopyName: String? {
    values["save-session"].flatMap { SessionCopy($0, in: root)?.name }
  }

  /// All options with their values, the absolute folder included.
  var all: OptionValues {
    var all = values.over(OptionTable.standardValues)
    all.remove("pause")
    try? all.set("dir", to: folderPath(of: values))
    return all
  }

  /// The value of an option that is a number, or aria2's standard value.
  private func integer(_ name: String) -> Int {
    values.integer(name) ?? OptionTable.standardValues.integer(name) ?? 0
  }

  // MARK: - Options of a download

  /// Returns the value of an option of a download, or that of the server.
  func value(_ name: String, of options: OptionValues) -> String? { options[name] ?? values[name] }

  /// Checks the options of a download.
  /// - Returns: The options without `gid` and `pause`, with the folder relative to the library, which may be moved.
  func checked(_ options: OptionValues, uri: String) throws(RPCError) -> OptionValues {
    var options = options
    for name in ["gid", "pause"] { options.remove(name) }
    if let dir = options["dir"] {
      try options.set("dir", to: try DownloadFolder(dir, below: root).title)
    }
    try checkProxies(options)
    _ = try fields(of: options, uri: uri)
    return options
  }

  /// Returns the request fields of a download.
  func fields(of options: OptionValues, uri: String) throws(RPCError) -> HTTPFields {
    try RequestFields(options.over(values), uri: uri).fields
  }

  func folder(of options: OptionValues) throws(RPCError) -> DownloadFolder {
    try DownloadFolder(value("dir", of: options) ?? "", below: root)
  }

  /// Returns the absolute path of the folder of a download.
  func folderPath(of options: OptionValues) -> String {
    root + "/" + ((try? folder(of: options))?.title ?? DownloadFolder.standardTitle)
  }

  /// Returns the rate limit of a download in bytes per second; 0 means none.
  func rateLimit(of options: OptionValues) -> Int {
    value("max-download-limit", of: options).flatMap { Int($0) } ?? 0
  }

  /// Returns the maximum number of connections of a download: all of them are to one server. If neither
  /// option was set, the library's setting is effective; if one was, the other has its standard value.
  func connectionLimit(of options: OptionValues) -> Int? {
    let names = ["split", "max-connection-per-server"]
    let values = names.map { value($0, of: options).flatMap { Int($0) } }
    guard values.contains(where: { $0 != nil }) else { return nil }
    return zip(names, values).compactMap { $1 ?? OptionTable.standardValues.integer($0) }.min()
  }

  // MARK: - Checks

  private func check(_ values: OptionValues) throws(RPCError) {
    _ = try DownloadFolder(values["dir"] ?? "", below: root)
    try checkProxies(values)
  }

  /// Checks the proxies that options name. The library has one proxy for all downloads, so another one is refused:
  /// the download would otherwise reach its host directly, without the user's knowledge.
  private func checkProxies(_ options: OptionValues) throws(RPCError) {
    for (name, setting, configured) in [
      ("http-proxy", "network.httpProxy", proxies.http),
      ("https-proxy", "network.httpsProxy", proxies.https),
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
