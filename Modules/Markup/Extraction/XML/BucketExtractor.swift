import Markup
import Models

/// Reads a page of the objects of an S3 bucket (ListObjectsV2, also the older ListObjects): the images, PDFs and
/// archives with their sizes, folders (common prefixes), and the next page.
struct BucketExtractor: Sendable {
  private let address: BucketAddress?
  private var depth = 0
  private var text = ElementText()
  /// The fields of the page, and of the object or prefix that is being read, by the name of the element.
  private var page: [String: String] = [:]
  private var object: [String: String] = [:]
  private var name = ""
  private var lastKey: String?
  private var hasTitle = false
  private var omitted = OmissionCount()

  private static let pageFields: Set<String> = [
    "Name", "Prefix", "IsTruncated", "NextContinuationToken", "NextMarker", "EncodingType",
  ]

  /// The fields that are keys of objects, or begin with those of objects.
  private static let keyFields: Set<String> = ["Key", "Prefix", "NextMarker"]

  init(url: String?) { address = url.flatMap { try? HTTPURL($0) }.map { BucketAddress($0) } }

  mutating func handle(_ event: MarkupEvent, into items: inout [MarkupItem]) {
    switch event {
    case .start(let name, _, _):
      depth += 1
      let isField =
        depth == 2 && Self.pageFields.contains(name)
        || depth == 3 && ["Key", "Size", "Prefix"].contains(name)
      if isField {
        self.name = name
        text.begin(at: depth)
      }
    case .text(let characters): text.append(characters)
    case .end(let name):
      // A key may begin and end with spaces.
      let isKey = Self.keyFields.contains(self.name)
      if let value = text.end(at: depth, isTrimmed: !isKey) {
        if depth == 2 { page[self.name] = value } else { object[self.name] = value }
      }
      if depth == 2 { endChild(name, &items) }
      depth -= 1
    }
  }

  func finish(into items: inout [MarkupItem]) {
    let problem = omitted.sentence(
      "object is not an image, PDF or archive", "objects are not images, PDFs or archives")
    if let problem { items.append(.problem(problem)) }
    guard page["IsTruncated"] == "true" else { return }
    if let next = nextPage {
      items.append(.nextPage(next))
    } else if depth == 0 {
      // A page that ends early may only lack the name of the next one.
      items.append(
        .remark(
          "the listing is truncated (IsTruncated), but has no NextContinuationToken and no key to continue at; the "
            + "objects that follow are not read", line: nil))
    }
  }

  private var nextPage: String? {
    if let token = page["NextContinuationToken"] {
      return BucketAddress.target(
        address, setting: [("list-type", "2"), ("continuation-token", token)],
        removing: ["start-after"])
    }
    // A page of ListObjectsV2 has no marker, and a request with one would be answered with the first page.
    guard address?.isVersion2 != true else { return nil }
    // ListObjects states the marker only with a delimiter; the last key is the same.
    guard let marker = page["NextMarker"].map(decoded) ?? lastKey else { return nil }
    return BucketAddress.target(address, setting: [("marker", marker)], removing: [])
  }

  private mutating func endChild(_ name: String, _ items: inout [MarkupItem]) {
    switch name {
    case "Contents": endObject(&items)
    case "CommonPrefixes":
      guard let prefix = object["Prefix"].map(decoded), !prefix.isEmpty else { break }
      items.append(
        .document(
          BucketAddress.target(
            address, setting: [("prefix", prefix)],
            removing: ["continuation-token", "marker", "start-after"]),
          .record))
    default: return
    }
    object = [:]
  }

  private mutating func endObject(_ items: inout [MarkupItem]) {
    guard let key = object["Key"].map(decoded), !key.isEmpty else { return }
    lastKey = key
    // A key with a slash at its end stands for a folder.
    guard !key.hasSuffix("/") else { return }
    let reference = BucketAddress.reference(address, key: key)
    let name = BucketAddress.reference(address, key: ElementText.trimmed(key))
    guard SupportedFile.isNamed(by: name) else { return omitted.add(key) }
    if !hasTitle, let title { items.append(.title(title)) }
    hasTitle = true
    var entry = MarkupEntry(url: reference)
    entry.name = key.split(separator: "/").last.map(String.init)
    entry.byteCount = object["Size"].flatMap { Int64($0) }
    items.append(.entry(entry))
  }

  /// The last folder of the prefix, or the name of the bucket.
  private var title: String? {
    let prefix = page["Prefix"].map(decoded)?.split(separator: "/").last.map(String.init)
    return (prefix ?? page["Name"]).flatMap(Words.collapsed)
  }

  /// Keys are percent-encoded if the page says so (`encoding-type=url`), with `+` for a space.
  private func decoded(_ key: String) -> String {
    guard page["EncodingType"] == "url" || address?.hasEncodedKeys == true else { return key }
    return PercentEncoding.decode(
      key.split(separator: "+", omittingEmptySubsequences: false)
        .joined(separator: " "))
  }
}
