import RenderMessages

extension Library {
  /// Who hears of a layer of the sandbox that this kernel does not have, when decoders are used for the
  /// first time: a sentence for each.
  public static func onSandboxWarning(_ handler: @escaping @Sendable (String) -> Void) {
    SandboxWarnings.install(handler)
  }
}
