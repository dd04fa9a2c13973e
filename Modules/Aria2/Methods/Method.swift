import JSON

/// A method of the interface.
struct Method: Sendable {
  let name: String
  /// Whether the method changes nothing that needs an authorised client.
  let isOpen: Bool
  let run: @Sendable (inout Aria2Machine, Parameters) throws(RPCError) -> JSONValue

  init(
    _ name: String, isOpen: Bool = false,
    _ run: @escaping @Sendable (inout Aria2Machine, Parameters) throws(RPCError) -> JSONValue
  ) {
    self.name = name
    self.isOpen = isOpen
    self.run = run
  }

  /// The name of the method that performs several calls, which the machine treats itself.
  static let multicall = "system.multicall"

  /// The name of the method whose documents the performer reads before the call.
  static let addMetalink = "aria2.addMetalink"

  /// The name of the method that writes the session file even if nothing has changed.
  static let saveSession = "aria2.saveSession"

  static func named(_ name: String) -> Method? { byName[name] }

  static let all: [Method] = adding + controlling + reading + changing + system

  /// The names of all methods, in the order of `system.listMethods`.
  static let names =
    all.map(\.name).filter { $0.hasPrefix("aria2.") } + [
      multicall, "system.listMethods", "system.listNotifications",
    ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
