public import LibraryAPI

/// The aria2 interface of a server: JSON-RPC at `/jsonrpc` of the loopback listener.
public struct Aria2Interface: Sendable {
  /// The secret that clients pass as `token:SECRET` or as a Bearer token; nil means that every program of
  /// the user may call, which is for tests only.
  public var secret: String?
  /// The origins of web pages that may call (`aria2.allowOrigin`).
  public var allowedOrigins: Set<String>
  /// The options of aria2 that the server starts with, in order.
  public var options: [(name: String, value: String)]
  /// The proxies of the library for http and https; empty texts for none.
  public var proxies: (http: String, https: String)
  /// The content of a file with downloads to add, in the format of aria2's `--input-file`.
  public var inputText: String
  /// The version of the program, for clients.
  public var version: String
  /// Starts and stops the downloads.
  public var downloads: any SingleDownloads
  /// Called for each event, one at a time.
  public var report: @Sendable (Aria2Event) -> Void

  public init(
    secret: String?, allowedOrigins: [String] = [],
    options: [(name: String, value: String)] = [],
    proxies: (http: String, https: String) = ("", ""), inputText: String = "", version: String,
    downloads: any SingleDownloads,
    report: @escaping @Sendable (Aria2Event) -> Void
  ) {
    self.secret = secret
    self.allowedOrigins = Set(allowedOrigins)
    self.options = options
    self.proxies = proxies
    self.inputText = inputText
    self.version = version
    self.downloads = downloads
    self.report = report
  }
}
