import Models

/// A signed URL without its signature, which servers make anew for each reading of a list. Two URLs with equal values
/// name one resource if one of them has replaced the other in the list. Pure.
struct UnsignedURL: Hashable {
  private let origin: String
  private let path: String
  /// The parameters that select the resource, in order.
  private let parameters: [String]
  /// The kinds of signatures that the URL has. A parameter that only one of two URLs has makes them different.
  private let schemes: Set<Int>

  /// The parameters of a kind of signature.
  private struct Scheme {
    /// The parameter without which the others have another meaning, in lower case.
    let mark: String
    /// The other parameters, in lower case.
    var others: Set<String> = []
    /// The beginning of the names of further parameters, in lower case.
    var prefix: String?

    func has(_ name: String) -> Bool {
      name == mark || others.contains(name) || prefix.map { name.hasPrefix($0) } ?? false
    }
  }

  /// The known signatures. A name such as `st` or `policy` is common, and belongs to a signature only beside its mark.
  private static let schemes = [
    Scheme(mark: "x-amz-signature", prefix: "x-amz-"),
    Scheme(mark: "x-goog-signature", prefix: "x-goog-"),
    // CloudFront, the older signatures of S3 and Google, and those of many frameworks.
    Scheme(
      mark: "signature",
      others: [
        "expires", "key-pair-id", "policy", "awsaccesskeyid", "googleaccessid", "ossaccesskeyid",
      ]),
    // Shared access signatures of Azure.
    Scheme(
      mark: "sig",
      others: [
        "se", "sip", "ske", "skoid", "sks", "skt", "sktid", "skv", "sp", "spr", "sr", "st", "sv",
      ]),
    Scheme(mark: "token", others: ["expires"]),
    Scheme(mark: "expires"),
  ]

  /// - Parameter text: The URL of a resource.
  /// - Returns: nil if the URL has no known signature.
  init?(_ text: String) {
    guard text.utf8.contains(UInt8(ascii: "?")), case .http(let url) = ResourceLocation(text)
    else { return nil }
    path = String(url.path)
    let all = url.target.utf8.dropFirst(path.utf8.count + 1)
      .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { parameter in
        (
          name: String(Substring(parameter.prefix { $0 != UInt8(ascii: "=") })).lowercased(),
          text: String(Substring(parameter))
        )
      }
    let names = Set(all.map(\.name))
    let found = Self.schemes.indices.filter { names.contains(Self.schemes[$0].mark) }
    guard !found.isEmpty else { return nil }
    schemes = Set(found)
    origin = url.origin.equivalenceKey
    parameters = all.filter { parameter in
      !found.contains { Self.schemes[$0].has(parameter.name) }
    }.map(\.text)
  }
}
