/// Counts of things in words.
public enum CountText {
  /// `1 record`, `1,234 records`.
  public static func text(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(Readable.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
