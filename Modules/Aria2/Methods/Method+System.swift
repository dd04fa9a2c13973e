import JSON

/// Methods about the server itself.
extension Method {
  static let system: [Method] = [
    Method("aria2.getVersion") { machine, _ throws(RPCError) in
      [
        "enabledFeatures": .strings(["GZip", "HTTPS", "Message Digest", "Metalink"]),
        // Clients decide by the version which methods exist, so it is that of aria2.
        "version": .string("1.37.0"),
        "server": .string("imgdl \(machine.configuration.version)"),
      ]
    },
    Method("aria2.getSessionInfo") { machine, _ throws(RPCError) in
      ["sessionId": .string(machine.configuration.sessionID)]
    },
    Method(saveSession) { machine, _ throws(RPCError) in
      machine.enqueue(.saveSession)
      return .ok
    },
    Method("aria2.shutdown") { machine, _ throws(RPCError) in
      machine.enqueue(.shutDown)
      return .ok
    },
    Method("aria2.forceShutdown") { machine, _ throws(RPCError) in
      machine.enqueue(.shutDown)
      return .ok
    },
    Method("system.listMethods", isOpen: true) { _, _ throws(RPCError) in .strings(names) },
    Method("system.listNotifications", isOpen: true) { _, _ throws(RPCError) in
      .strings(Aria2Notification.Kind.allCases.map(\.rawValue))
    },
  ]
}
