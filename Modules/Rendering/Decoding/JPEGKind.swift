/// The kinds of JPEG that libjpeg does not decode. Such a file is sound.
public enum JPEGKind {
  /// Returns what the file is, as the predicate of a sentence, from the message with which libjpeg refuses it; nil for
  /// another message.
  public static func unsupported(_ message: String) -> String? {
    let lowered = message.lowercased()
    func says(_ part: String) -> Bool { lowered.contains(part) }
    // The markers of the frames of ITU-T T.81, table B.1, and of JPEG-LS, ITU-T T.87.
    if says("sof type 0xc3") || says("sof type 0xcb") {
      return "is lossless, which no decoder supports"
    }
    if says("marker type 0xf7") { return "is a JPEG-LS, which no decoder supports" }
    if says("unsupported jpeg data precision") { return "does not have 8 bits per component" }
    return says("unsupported jpeg process") ? "is of a kind that no decoder supports" : nil
  }
}
