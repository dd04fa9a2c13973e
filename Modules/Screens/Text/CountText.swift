/// Counts with a noun, for display.
public enum CountText {
  /// Returns a count with its noun, such as `1 record` or `1,234 records`.
  public static func text(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(Readable.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
