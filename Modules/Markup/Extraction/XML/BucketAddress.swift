import Models

/// The URL with which the objects of a bucket were requested: the bucket's own URL and the parameters.
struct BucketAddress: Sendable {
  private let origin: HTTPURL.Origin
  /// The path of the bucket as it was requested.
  private let path: String
  /// The parameters as they are in the URL, encoded.
  private let parameters: [(name: Substring, text: Substring)]

  init(_ url: HTTPURL) {
    origin = url.origin
    path = String(url.path)
    let target = url.target
    let question = target.firstIndex(of: "?")
    let query = question.map { target[target.index(after: $0)...] } ?? ""
    parameters = query.split(separator: "&").map { part in
      (name: part.prefix { $0 != "=" }, text: part)
    }
  }

  /// Whether the request asks for encoded keys. A page may say so only after its keys.
  var hasEncodedKeys: Bool { parameters.contains { $0.text == "encoding-type=url" } }

  /// Whether the request is one of ListObjectsV2, whose pages are named by a token.
  var isVersion2: Bool { parameters.contains { $0.text == "list-type=2" } }

  /// Returns the reference of an object; without an address it is relative to a base that is not known.
  static func reference(_ address: BucketAddress?, key: String) -> String {
    let encoded = key.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.encodeSegment(String($0)) }.joined(separator: "/")
    // A key may begin with slashes, so that a relative reference would name a host.
    guard let address else { return encoded.hasPrefix("/") ? "." + encoded : encoded }
    let slash = address.path.hasSuffix("/") ? "" : "/"
    return HTTPURL(origin: address.origin, target: address.path + slash + encoded).description
  }

  /// Returns the reference of another page of the bucket, with the other parameters unchanged.
  static func target(
    _ address: BucketAddress?, setting values: [(name: String, value: String)],
    removing removed: [String]
  ) -> String {
    let changed = Set(values.map(\.name) + removed)
    let kept = address?.parameters.filter { !changed.contains(String($0.name)) }.map {
      String($0.text)
    }
    let set = values.map { "\($0.name)=\(PercentEncoding.encodeSegment($0.value))" }
    let query = "?" + (set + (kept ?? [])).joined(separator: "&")
    guard let address else { return query }
    return HTTPURL(origin: address.origin, target: address.path + query).description
  }
}
