/// The unfinished downloads as a file.
extension Aria2Machine {
  /// The text of the session file. O(number of unfinished downloads).
  public var sessionText: String {
    queue.unfinished.reduce(into: "") { $0 += InputFile.Entry($1).text }
  }

  /// The downloads that have not ended and have no resource of the library.
  public var unlinkedDownloads: Set<GID> {
    Set(queue.unfinished.lazy.filter { $0.resource == nil }.map(\.gid))
  }

  /// The name of the file in the library's folder to which `aria2.saveSession` writes the session as well; nil
  /// if no client has named a permitted one.
  public var sessionCopyName: String? { options.sessionCopyName }

  /// The first line of that file. A file that does not begin with it is not replaced.
  public static var sessionCopyHeading: String { SessionCopy.heading }

  /// Adds the downloads of a file. An entry whose GID is in use gets another one, unless it describes the download
  /// that has the GID.
  public mutating func load(_ file: InputFile) -> InputFile.Rejection {
    var rejection = InputFile.Rejection()
    var loaded: [GID: InputFile.Entry] = [:]
    for (index, entry) in file.entries.enumerated() {
      do throws(RPCError) {
        var values = OptionValues()
        for option in entry.options { try values.set(option.name, to: option.value) }
        let chosen = values["gid"].flatMap { GID($0) }
        let used = chosen.flatMap { queue[$0] }
        if let used {
          if entry.describes(used, loadedFrom: loaded[used.gid]) { continue }
          values.remove("gid")
        }
        let addition = try Addition(entry.uris, values, options, byteCount: entry.byteCount)
        // The file of the resource is that of the download that has it.
        let isTaken = entry.resource.map { queue.download(of: $0) != nil } ?? false
        let gids = try add(
          [addition], at: nil, resource: used != nil && isTaken ? nil : entry.resource)
        if let used, let new = gids.first {
          rejection.addRenamed(number: index + 1, from: used.gid, to: new)
        } else if let chosen {
          loaded[chosen] = entry
        }
      } catch {
        rejection.add(entry, number: index + 1, error)
        recordChange()
      }
    }
    return rejection
  }
}

extension InputFile.Entry {
  /// Whether the entry is that of a download whose GID it names.
  /// - Parameter earlier: The entry of the same file with which the download was added; nil if it was added before,
  ///   so that its options may have changed since, and it may have given up URIs.
  fileprivate func describes(_ download: Download, loadedFrom earlier: Self?) -> Bool {
    if let earlier { return earlier.uris == uris && earlier.options == options }
    return Set(uris + DownloadURI.usable(uris)).isSuperset(of: download.uris)
  }
}
