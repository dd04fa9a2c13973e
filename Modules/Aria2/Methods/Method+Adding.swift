import Models

/// Methods that add downloads.
extension Method {
  static let adding: [Method] = [
    Method("aria2.addUri") { machine, parameters throws(RPCError) in
      let uris = try parameters.texts(0)
      var options = OptionValues()
      try options.set(try parameters.members(1))
      let addition = try machine.addition(uris, options)
      let gids = try machine.add([addition], at: try parameters.optionalInteger(2))
      return .text(gids.first?.description ?? "")
    },
    Method("aria2.addTorrent") { _, _ throws(RPCError) in throw .noBitTorrent },
    Method(addMetalink) { machine, parameters throws(RPCError) in
      let files = try parameters.metalinkFiles()
      var common = OptionValues()
      try common.set(try parameters.members(1))
      var additions: [Aria2Machine.Addition] = []
      for file in files {
        var options = common
        if options["out"] == nil, let name = file.usableName { try options.set("out", to: name) }
        if let checksum = file.checksum, options["checksum"] == nil {
          try options.set("checksum", to: checksum.description)
        }
        additions.append(try machine.addition(file.uris, options, byteCount: file.byteCount))
      }
      let gids = try machine.add(additions, at: try parameters.optionalInteger(2))
      return .list(gids.map { .text($0.description) })
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
