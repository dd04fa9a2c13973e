/// Wraps a sequence so that tmux passes it on to the outer terminal (tmux(1), allow-passthrough).
enum TmuxPassthrough {
  static func wrap(_ bytes: some Collection<UInt8>, _ output: inout Output) {
    output.append("\u{1b}Ptmux;")
    for byte in bytes {
      if byte == 0x1b { output.append(0x1b) }
      output.append(byte)
    }
    output.append("\u{1b}\\")
  }
}
