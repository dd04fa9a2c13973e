import RenderMessages

extension Library {
  /// Installs the handler of warnings about sandbox layers that this kernel does not offer. The handler
  /// gets one sentence per layer, when decoders are used for the first time.
  public static func onSandboxWarning(_ handler: @escaping @Sendable (String) -> Void) {
    SandboxWarnings.install(handler)
  }
}
