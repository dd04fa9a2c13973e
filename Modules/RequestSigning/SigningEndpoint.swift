public import Models

/// An S3 service, or a bucket with a host of its own, to which requests are signed.
public struct SigningEndpoint: Sendable, Equatable {
  /// The origin of all requests to be signed.
  public let origin: HTTPURL.Origin
  /// The region that the user has stated or that the host of AWS names; nil if it is not known.
  public let region: String?

  /// Parses the URL of an endpoint, optionally followed by blanks and a region:
  /// `https://s3.eu-west-1.amazonaws.com`, `http://127.0.0.1:9000 us-east-1`.
  /// - Throws: `SigningEndpointError` with the reason.
  public init(_ text: String) throws(SigningEndpointError) {
    let words = text.split { $0 == " " || $0 == "\t" }
    guard let first = words.first, words.count <= 2 else {
      throw SigningEndpointError("not a URL, or a URL and a region")
    }
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(first)
    } catch {
      throw SigningEndpointError(error.description)
    }
    guard url.target == "/" else {
      throw SigningEndpointError("a path, because all requests to the host are signed")
    }
    if words.count == 2, !Self.isRegion(words[1]) {
      throw SigningEndpointError("a region with other characters than letters, digits and hyphens")
    }
    origin = url.origin
    region = words.count == 2 ? String(words[1]) : Self.region(ofHost: url.host)
  }

  /// Whether a text may be the name of a region.
  public static func isRegion(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~")
      }
  }

  /// Returns the region in a host name of AWS: `s3.REGION.amazonaws.com`, with a bucket or without, also
  /// `s3-REGION`, `s3.dualstack.REGION` and `amazonaws.com.cn`. nil for any other name.
  private static func region(ofHost host: String) -> String? {
    var labels = host.split(separator: ".")
    if labels.last == "cn" { labels.removeLast() }
    guard labels.suffix(2) == ["amazonaws", "com"] else { return nil }
    labels.removeLast(2)
    guard let last = labels.popLast() else { return nil }
    if last == "s3" { return nil }
    let isPart = labels.suffix(2) == ["s3", "dualstack"] || labels.last == "s3"
    let region = last.hasPrefix("s3-") ? last.dropFirst(3) : isPart ? last : ""
    // The names of regions have two hyphens or more; "s3-accelerate" and "s3-external-1" name none.
    return isRegion(region) && region.split(separator: "-").count >= 3 ? String(region) : nil
  }
}

/// The reason why a text does not name an endpoint.
public struct SigningEndpointError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
