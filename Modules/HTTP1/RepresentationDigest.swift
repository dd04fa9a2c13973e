public import Models

/// The digest that a response states of the whole selected representation: in `Repr-Digest` (RFC 9530 §3) or in the
/// older `Digest` (RFC 3230 §4.3.2, RFC 5843). Only SHA-256 and SHA-512 are read, the active algorithms of RFC 9530
/// §5.
///
/// The digest is computed over the representation with its content coding, so it does not describe a body that
/// the receiver decodes. It describes the whole file also in a response with a part of it (206).
/// `Content-Digest`, which describes the bytes of one message, is not read.
public enum RepresentationDigest {
  /// Returns the SHA-256, or else the SHA-512. Of each, several different ones or one that is malformed count as
  /// none, and so do those of a representation with a content coding.
  public static func checksum(in fields: HTTPFields) -> Checksum? {
    // Most responses state none.
    guard fields["Repr-Digest"] != nil || fields["Digest"] != nil, !isCoded(fields) else {
      return nil
    }
    return stated(.sha256, in: fields) ?? stated(.sha512, in: fields)
  }

  /// Returns the SHA-256 by the rules of `checksum(in:)`.
  public static func sha256(in fields: HTTPFields) -> Digest? { checksum(in: fields)?.digest }

  private static func stated(
    _ algorithm: Checksum.Algorithm, in fields: HTTPFields
  ) -> Checksum? {
    let stated =
      fields.all("Repr-Digest").flatMap { structured($0, algorithm) }
      + fields.all("Digest").flatMap { plain($0, algorithm) }
    guard let first = stated.first, stated.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func isCoded(_ fields: HTTPFields) -> Bool {
    !fields.contentCodings.isEmpty
  }

  /// Parses a dictionary of byte sequences (RFC 8941 §3.2, §3.3.5): `sha-256=:…:, sha-512=:…:`. Base64 contains
  /// no comma, so the members can be split without parsing the other ones.
  private static func structured(
    _ value: String, _ algorithm: Checksum.Algorithm
  ) -> [Checksum?] {
    FieldList.members(value).compactMap { member in
      guard let text = argument(of: member, named: algorithm.rawValue) else { return nil }
      // Parameters of the byte sequence have no meaning.
      let bytes = text.utf8.prefix { $0 != ASCII.semicolon }
      let sequence = FieldList.trim(Substring(bytes)).utf8
      guard sequence.count >= 2, sequence.first == ASCII.colon, sequence.last == ASCII.colon else {
        return .some(nil)
      }
      return .some(checksum(Substring(sequence.dropFirst().dropLast()), algorithm))
    }
  }

  /// Parses a list of instance digests (RFC 3230 §4.3.2): `SHA-256=…,MD5=…`. Algorithms compare without regard
  /// to case.
  private static func plain(_ value: String, _ algorithm: Checksum.Algorithm) -> [Checksum?] {
    FieldList.members(value).compactMap { member in
      argument(of: member, named: algorithm.rawValue).map { checksum($0, algorithm) }
    }
  }

  private static func argument(of member: Substring, named name: String) -> Substring? {
    guard let sign = member.utf8.firstIndex(of: UInt8(ascii: "=")),
      HTTPFields.isSame(member[..<sign], name)
    else { return nil }
    return member[member.utf8.index(after: sign)...]
  }

  private static func checksum(
    _ base64: Substring, _ algorithm: Checksum.Algorithm
  ) -> Checksum? {
    guard base64.utf8.count == (algorithm.byteCount + 2) / 3 * 4, let bytes = Base64.decode(base64),
      let checksum = Checksum(bytes), checksum.algorithm == algorithm
    else { return nil }
    return checksum
  }
}
