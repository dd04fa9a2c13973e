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

  /// Adds the downloads of a file, except those whose GID is in use.
  public mutating func load(_ file: InputFile) -> InputFile.Rejection {
    var rejection = InputFile.Rejection()
    for (index, entry) in file.entries.enumerated() {
      do throws(RPCError) {
        var values = OptionValues()
        for option in entry.options { try values.set(option.name, to: option.value) }
        if let text = values["gid"], let gid = GID(text), queue.contains(gid) { continue }
        let addition = try Addition(entry.uris, values, options, byteCount: entry.byteCount)
        _ = try add([addition], at: nil, resource: entry.resource)
      } catch {
        rejection.add(entry, number: index + 1, error)
        recordChange()
      }
    }
    return rejection
  }
}
