public import Models

/// The file with the unfinished downloads, in the format of aria2's input files: a line with the URIs of a
/// download, separated by tabs, then a line for each option, indented by a blank.
///
/// A comment names the resource of a download that has been started, so that its transfer continues after a
/// restart; aria2 ignores it.
public struct InputFile: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public var uris: [String]
    public var options: [Option] = []
    public var resource: ResourceID?
  }

  public struct Option: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public private(set) var entries: [Entry] = []

  /// The maximum size of a file in bytes.
  public static let sizeLimit = 64 << 20
  private static let resourceComment = "# imgdl-resource "

  /// Parses a file. Comments and empty lines are skipped, and so are options before the first URI.
  public init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix(Self.resourceComment) {
        guard !entries.isEmpty, let id = Int64(line.dropFirst(Self.resourceComment.count)), id > 0
        else { continue }
        entries[entries.count - 1].resource = ResourceID(id)
      } else if line.first == "#" {
        continue
      } else if line.first == " " || line.first == "\t" {
        appendOption(line)
      } else {
        let uris = line.split(separator: "\t").map(String.init)
        if !uris.isEmpty { entries.append(Entry(uris: uris)) }
      }
    }
  }

  private mutating func appendOption(_ line: Substring) {
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard !entries.isEmpty, line.first != "#", let equals = line.firstIndex(of: "=") else { return }
    entries[entries.count - 1].options.append(
      Option(name: String(line[..<equals]), value: String(line[line.index(after: equals)...])))
  }
}

extension Aria2Machine {
  /// The text of the session file. O(number of unfinished downloads).
  public var sessionText: String {
    var text = ""
    for download in queue.unfinished {
      text += download.uris.joined(separator: "\t") + "\n"
      if download.usedURI != nil, let resource = download.resource {
        text += "# imgdl-resource \(resource)\n"
      }
      text += " gid=\(download.gid)\n"
      if download.status == .paused { text += " pause=true\n" }
      for name in download.options.names where name != "header" {
        text += " \(name)=\(download.options[name] ?? "")\n"
      }
      for header in download.options.headers { text += " header=\(header)\n" }
    }
    return text
  }

  /// Adds the downloads of a file, except those whose GID is in use.
  /// - Returns: The reasons for which entries were left out.
  public mutating func load(_ file: InputFile) -> [String] {
    var problems: [String] = []
    for entry in file.entries {
      do throws(RPCError) {
        var values = OptionValues()
        for option in entry.options { try values.set(option.name, to: option.value) }
        if let text = values["gid"], let gid = GID(text), queue.contains(gid) { continue }
        try add(entry.uris, values, at: nil, resource: entry.resource)
      } catch {
        problems.append("\(entry.uris.first ?? ""): \(error.message)")
      }
    }
    return problems
  }
}
