/// The unfinished downloads as a file.
extension Aria2Machine {
  /// The text of the session file. O(number of unfinished downloads).
  public var sessionText: String {
    var text = ""
    for download in queue.unfinished {
      var entry = InputFile.Entry(uris: download.uris)
      if download.usedURI != nil { entry.resource = download.resource }
      entry.byteCount = download.expectedBytes
      entry.options.append(.init(name: "gid", value: download.gid.description))
      if download.status == .paused { entry.options.append(.init(name: "pause", value: "true")) }
      for name in download.options.names {
        guard let value = download.options[name] else { continue }
        entry.options.append(.init(name: name, value: value))
      }
      for header in download.options.headers {
        entry.options.append(.init(name: "header", value: header))
      }
      text += entry.text
    }
    return text
  }

  /// The downloads that have not ended and have no resource of the library.
  public var unlinkedDownloads: Set<GID> {
    Set(queue.unfinished.lazy.filter { $0.resource == nil }.map(\.gid))
  }

  /// The name of the file in the library's folder to which `aria2.saveSession` writes the session as well; nil
  /// if no client has named a permitted one.
  public var sessionCopyName: String? {
    options["save-session"].flatMap { SessionCopy($0, in: configuration.root)?.name }
  }

  /// The first line of that file. A file that does not begin with it is not replaced.
  public static var sessionCopyHeading: String { SessionCopy.heading }

  /// The entries of a file that cannot be used.
  public struct Rejection: Sendable, Equatable {
    /// A sentence for each entry. It contains no URI, because a URI can contain a password.
    public internal(set) var problems: [String] = []
    /// The entries as a file.
    public internal(set) var text = ""
  }

  /// Adds the downloads of a file, except those whose GID is in use.
  public mutating func load(_ file: InputFile) -> Rejection {
    var rejection = Rejection()
    for (index, entry) in file.entries.enumerated() {
      do throws(RPCError) {
        var values = OptionValues()
        for option in entry.options { try values.set(option.name, to: option.value) }
        if let text = values["gid"], let gid = GID(text), queue.contains(gid) { continue }
        let addition = try addition(entry.uris, values, byteCount: entry.byteCount)
        _ = try add([addition], at: nil, resource: entry.resource)
      } catch {
        let gid = entry.options.last { $0.name == "gid" }.flatMap { GID($0.value) }
        let name = gid.map { "the download \($0)" } ?? "entry \(index + 1)"
        rejection.problems.append("\(name) cannot be used: \(error.message)")
        rejection.text += entry.text
        recordChange()
      }
    }
    return rejection
  }
}
