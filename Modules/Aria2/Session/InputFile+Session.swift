extension InputFile {
  /// The entries of a file that cannot be used, or only with another GID.
  public struct Rejection: Sendable, Equatable {
    /// A sentence for each entry. It contains no URI, because a URI can contain a password.
    public private(set) var problems: [String] = []
    /// The entries that cannot be used, as a file: their bytes are those of the file that was read.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter number: The number of the entry in the file, from 1.
    mutating func add(_ entry: Entry, number: Int, _ error: RPCError) {
      let gid = entry.options.last { $0.name == "gid" }.flatMap { GID($0.value) }
      let name = gid.map { "the download \($0)" } ?? "entry \(number)"
      problems.append("\(name) cannot be used: \(error.message)")
      bytes += entry.original
      bytes.append(0x0a)
    }

    mutating func addRenamed(number: Int, from old: GID, to new: GID) {
      problems.append(
        "the GID \(old) of entry \(number) is already used; the download has the GID \(new)")
    }
  }
}

extension InputFile.Entry {
  /// The entry of a download in the session file.
  init(_ download: Download) {
    uris = download.uris
    if download.usedURI != nil { resource = download.resource }
    byteCount = download.expectedBytes
    options.append(.init(name: "gid", value: download.gid.description))
    if download.status == .paused { options.append(.init(name: "pause", value: "true")) }
    for name in download.options.names {
      guard let value = download.options[name] else { continue }
      options.append(.init(name: name, value: value))
    }
    for header in download.options.headers { options.append(.init(name: "header", value: header)) }
  }
}
