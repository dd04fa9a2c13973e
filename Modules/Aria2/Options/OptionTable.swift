/// The options of aria2 that this program knows, with the standard values of aria2 1.37.
enum OptionTable {
  static func definition(_ name: String) -> OptionDefinition? { byName[name] }

  static let all: [OptionDefinition] = honoured + ignored

  /// The standard values of a server.
  static let standardValues: OptionValues = {
    var values = OptionValues()
    for definition in all {
      if let standard = definition.standard { try? values.set(definition.name, to: standard) }
    }
    return values
  }()

  /// The options that concern the whole server, which aria2 does not return as those of a download.
  static let serverNames = [
    "auto-save-interval", "check-certificate", "disable-ipv6", "disk-cache",
    "keep-unfinished-download-result", "log", "log-level", "max-concurrent-downloads",
    "max-download-result", "max-overall-download-limit", "max-overall-upload-limit",
    "optimize-concurrent-downloads", "save-session", "save-session-interval", "stop",
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  private static let honoured: [OptionDefinition] = [
    .init("checksum", .checksum),
    .init("dir", .folder),
    .init("gid", .gid),
    .init("header", .texts),
    .init("http-passwd", .text),
    .init("http-user", .text),
    .init("max-connection-per-server", .number(1...16), "1"),
    .init("max-concurrent-downloads", .number(1...1_024), "5"),
    .init("max-download-limit", .bytes, "0"),
    .init("max-download-result", .number(0...100_000), "1000"),
    .init("max-overall-download-limit", .bytes, "0"),
    .init("out", .fileName),
    .init("pause", .flag, "false"),
    .init("referer", .text),
    .init("split", .number(1...Int.max), "5"),
    .init("user-agent", .text),
  ]

  /// The limits of times, rates and attempts have no standard values here, because the library has others.
  private static let ignored: [OptionDefinition] = [
    .init("all-proxy", .text, nil, .ignored),
    .init("allow-overwrite", .flag, "false", .ignored),
    .init("always-resume", .flag, "true", .ignored),
    .init("async-dns", .flag, "true", .ignored),
    .init("auto-file-renaming", .flag, "true", .ignored),
    .init("auto-save-interval", .number(0...600), "60", .ignored),
    .init("check-certificate", .flag, "true", .ignored),
    .init("check-integrity", .flag, "false", .ignored),
    .init("conditional-get", .flag, "false", .ignored),
    .init("connect-timeout", .number(1...600), nil, .ignored),
    .init("content-disposition-default-utf8", .flag, "false", .ignored),
    .init("continue", .flag, "false", .ignored),
    .init("disable-ipv6", .flag, "false", .ignored),
    .init("disk-cache", .bytes, "16777216", .ignored),
    .init("enable-http-keep-alive", .flag, "true", .ignored),
    .init("enable-http-pipelining", .flag, "false", .ignored),
    .init(
      "file-allocation", .choice(["none", "prealloc", "trunc", "falloc"]), "prealloc", .ignored),
    .init("force-save", .flag, "false", .ignored),
    .init("http-accept-gzip", .flag, "false", .ignored),
    .init("http-no-cache", .flag, "false", .ignored),
    .init("http-proxy", .text, nil, .ignored),
    .init("https-proxy", .text, nil, .ignored),
    .init("keep-unfinished-download-result", .flag, "true", .ignored),
    .init("log", .text, nil, .ignored),
    .init(
      "log-level", .choice(["debug", "info", "notice", "warn", "error"]), "debug", .ignored),
    .init("lowest-speed-limit", .bytes, nil, .ignored),
    .init("max-file-not-found", .number(0...Int.max), "0", .ignored),
    .init("max-resume-failure-tries", .number(0...Int.max), "0", .ignored),
    .init("max-tries", .number(0...Int.max), nil, .ignored),
    .init("max-upload-limit", .bytes, "0", .ignored),
    .init("max-overall-upload-limit", .bytes, "0", .ignored),
    .init("min-split-size", .bytes, "20971520", .ignored),
    .init("no-file-allocation-limit", .bytes, "5242880", .ignored),
    .init("no-netrc", .flag, "false", .ignored),
    .init("no-proxy", .text, nil, .ignored),
    .init("optimize-concurrent-downloads", .text, "false", .ignored),
    .init("parameterized-uri", .flag, "false", .ignored),
    .init("piece-length", .bytes, "1048576", .ignored),
    .init("proxy-method", .choice(["get", "tunnel"]), "get", .ignored),
    .init("realtime-chunk-checksum", .flag, "true", .ignored),
    .init("remote-time", .flag, "false", .ignored),
    .init("remove-control-file", .flag, "false", .ignored),
    .init("retry-wait", .number(0...600), nil, .ignored),
    .init("reuse-uri", .flag, "true", .ignored),
    .init("save-not-found", .flag, "true", .ignored),
    .init("save-session", .text, nil, .ignored),
    .init("save-session-interval", .number(0...Int.max), "0", .ignored),
    .init("stop", .number(0...Int.max), "0", .ignored),
    .init(
      "stream-piece-selector", .choice(["default", "inorder", "random", "geom"]), "default",
      .ignored),
    .init("timeout", .number(1...600), nil, .ignored),
    .init("uri-selector", .choice(["inorder", "feedback", "adaptive"]), "feedback", .ignored),
    .init("use-head", .flag, "false", .ignored),
  ]
}
