import JSON
import Models

/// Methods that add downloads.
extension Method {
  static let adding: [Method] = [
    Method("aria2.addUri") { machine, parameters throws(RPCError) in
      let (uris, members) = (try parameters.texts(0), try parameters.members(1))
      _ = try parameters.optionalInteger(2)
      guard !uris.isEmpty else { throw RPCError("URI is not provided.") }
      let position = try parameters.optionalPosition(2)
      var options = OptionValues()
      try options.set(members)
      let addition = try Addition(uris, options, machine.options)
      let gids = try machine.add([addition], at: position)
      return .string(gids.first?.description ?? "")
    },
    Method("aria2.addTorrent") { _, _ throws(RPCError) in throw .noBitTorrent },
    Method(addMetalink) { machine, parameters throws(RPCError) in
      _ = try parameters.text(0)
      let (members, position) = (try parameters.members(1), try parameters.optionalPosition(2))
      let files = try parameters.metalinkFiles()
      var common = OptionValues()
      try common.set(members)
      // As in aria2, also for a document with one file.
      common.remove("gid")
      var additions: [Addition] = []
      for file in files {
        var options = common
        if options["out"] == nil, let name = file.usableName { try options.set("out", to: name) }
        if let checksum = file.checksum, options["checksum"] == nil {
          try options.set("checksum", to: checksum.description)
        }
        additions.append(
          try Addition(file.uris, options, machine.options, byteCount: file.byteCount))
      }
      let gids = try machine.add(additions, at: position)
      return .array(gids.map { .string($0.description) })
    },
  ]
}

extension MetalinkFile {
  /// The name without folders, which are not made (RFC 5854 §4.1.2.1); nil if it cannot be that of a file.
  fileprivate var usableName: String? {
    let name = name?.split(separator: "/").last.map(String.init)
    return name.flatMap { OptionDefinition.isFileName($0) ? $0 : nil }
  }
}
