import Models

/// The document with which S3 reports an error; some services send it with the status 200.
public enum BucketError {
  /// Returns why a source with these first bytes is not read; nil if it is no such document.
  public static func refusal(head: [UInt8]) -> String? {
    guard MarkupProlog(head).root == "Error" else { return nil }
    let text = String(decoding: head, as: UTF8.self)
    guard let code = text.firstRange(of: "<Code>")?.upperBound,
      let end = text[code...].firstRange(of: "</Code>")?.lowerBound
    else { return nil }
    return "is an error of a bucket, not a list: \(Excerpt.quote(String(text[code..<end])))"
  }
}
