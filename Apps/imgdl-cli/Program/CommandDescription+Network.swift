import CommandLine

/// What stands for settings, in every command that may download.
extension CommandDescription {
  /// For many transfers.
  static let how = OptionGroup(
    "How",
    [
      .value(
        "max-concurrent-downloads", short: "j", "N", .integer(1...1_024),
        "Transfers at the same time."),
      .value("max-per-host", "N", .integer(1...1_024), "Transfers from one host at a time."),
    ] + network + [.flag("no-thumbnails", "Only download.")])

  /// For one.
  static let network: [Option] = [
    .value("retry", "N", .integer(0...1_000), "Attempts after the first."),
    .value("retry-delay", "TIME", .duration, "Before the first retry."),
    .value("connect-timeout", "TIME", .duration, "Until a connection is ready."),
    .value("idle-timeout", "TIME", .duration, "Silence after which a request is tried again."),
    .value(
      "speed-limit", "BYTES", .byteSize, "A second: what is slower for the speed time fails."),
    .value("speed-time", "TIME", .duration, "For how long a transfer may be that slow."),
    .value("limit-rate", "BYTES", .byteSize, "A second, of all transfers together."),
    .value("max-time", "TIME", .duration, "For one transfer."),
    .value(
      "header", short: "H", "FIELD", .text, "A request field, as 'Name: value'.",
      isRepeatable: true),
    .value("referer", "URL", .text, "The Referer field: the page that led there."),
    .value(
      "user", short: "u", "NAME[:PASSWORD]", .text,
      "For the hosts of the URLs named here. Without PASSWORD imgdl asks for it, and nobody sees it in "
        + "the list of processes."),
    .value("user-agent", short: "A", "TEXT", .text, "The User-Agent field."),
    .value("cacert", "FILE", .file, "Authorities in place of the system's (PEM)."),
    .value("cert", "FILE", .file, "A certificate that says who you are (PEM)."),
    .value("key", "FILE", .file, "Its private key, if it is in another file (PEM)."),
    .flag("insecure", short: "k", "Accept any certificate."),
    .value("proxy", "URL", .text, "The proxy for http and https, as http://HOST:PORT."),
    .value(
      "no-proxy", aliases: ["noproxy"], "HOSTS", .text,
      "Hosts asked without a proxy, with commas in between."),
    .value(
      "load-cookies", aliases: ["cookies"], "FILE", .file,
      "Cookies to send, from a Netscape cookie file; --cookies is the same."),
    .flag("netrc", "Users and passwords from $NETRC, else ~/.netrc."),
    .value("netrc-file", "FILE", .file, "Users and passwords from FILE."),
    .flag("ipv4", short: "4", "Only IPv4."),
    .flag("ipv6", short: "6", "Only IPv6."),
  ]
}
