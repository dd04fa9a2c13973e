import CommandLine

/// Options that override settings, for every command that downloads.
extension CommandDescription {
  /// Options of commands that download records.
  static let how = OptionGroup(
    "Download options",
    [
      .value(
        "max-concurrent-downloads", short: "j", "N", .integer(1...1_024),
        "Maximum number of simultaneous downloads."),
      .value(
        "max-per-host", "N", .integer(1...1_024),
        "Maximum number of simultaneous downloads per host."),
    ] + network + [.flag("no-thumbnails", "Do not create thumbnails.")])

  /// Options of commands that download a single resource.
  static let network: [Option] = [
    .value("retry", "N", .integer(0...1_000), "Number of retries of a failed download."),
    .value(
      "retry-delay", "TIME", .duration,
      "Wait before the first retry; the wait doubles with each retry."),
    .value("connect-timeout", "TIME", .duration, "Maximum time to establish a connection."),
    .value(
      "idle-timeout", "TIME", .duration,
      "Maximum time without receiving data before a download is retried."),
    .value(
      "speed-limit", "BYTES", .byteSize,
      "Abort downloads slower than BYTES per second for the speed time."),
    .value("speed-time", "TIME", .duration, "Time to trigger the speed limit."),
    .value(
      "limit-rate", "BYTES", .byteSize,
      "Limit the download rate of all downloads together, in bytes per second."),
    .value("max-time", "TIME", .duration, "Maximum time for one download."),
    .value(
      "header", short: "H", "FIELD", .text, "Extra request header, as 'Name: value'.",
      isRepeatable: true),
    .value("referer", "URL", .text, "Referer header."),
    .value(
      "user", short: "u", "NAME[:PASSWORD]", .text,
      "User and password for the scheme, host and port of the given URLs. Without PASSWORD, imgdl prompts for it, "
        + "which keeps it out of the process list."),
    .value("user-agent", short: "A", "TEXT", .text, "User-Agent header."),
    .value("cacert", "FILE", .file, "CA certificates to trust instead of the system's (PEM)."),
    .value("cert", "FILE", .file, "Client certificate (PEM)."),
    .value(
      "key", "FILE", .file, "Private key of the client certificate, if not in the same file (PEM)."),
    .flag("insecure", short: "k", "Allow insecure server connections: do not verify certificates."),
    .value(
      "proxy", "URL", .text, "Proxy for http and https, as http://HOST:PORT or socks5://HOST:PORT."),
    .value(
      "no-proxy", aliases: ["noproxy"], "HOSTS", .text,
      "Comma-separated list of hosts that bypass the proxy."),
    .value(
      "load-cookies", aliases: ["cookies"], "FILE", .file,
      "Load cookies from FILE, in Netscape format; also --cookies."),
    .flag("netrc", "Read users and passwords from $NETRC, or else ~/.netrc."),
    .value("netrc-file", "FILE", .file, "Read users and passwords from FILE."),
    .flag("ipv4", short: "4", "Connect to IPv4 addresses only."),
    .flag("ipv6", short: "6", "Connect to IPv6 addresses only."),
  ]
}
