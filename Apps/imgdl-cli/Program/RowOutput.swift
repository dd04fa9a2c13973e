/// Buffers lines for standard output, because one system call for each of a million rows would take longer
/// than reading the rows.
struct RowOutput {
  /// The complete lines that have not been printed yet, followed by the unfinished last line.
  var bytes: [UInt8] = []
  private let console: Console

  private static let portion = 65_536

  init(_ console: Console) {
    self.console = console
    bytes.reserveCapacity(Self.portion + 4_096)
  }

  mutating func endLine() {
    bytes.append(0x0a)
    if bytes.count >= Self.portion { flush() }
  }

  /// Prints the buffered lines. The program ends without a message if the reader of its output has closed the
  /// pipe.
  mutating func flush() {
    guard !bytes.isEmpty else { return }
    console.printBytes(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
