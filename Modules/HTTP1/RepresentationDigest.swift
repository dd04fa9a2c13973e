public import Models

/// The SHA-256 digest that a response states of the whole selected representation: in `Repr-Digest` (RFC 9530
/// §3) or in the older `Digest` (RFC 3230 §4.3.2, RFC 5843).
///
/// The digest is computed over the representation with its content coding, so it does not describe a body that
/// the receiver decodes. It describes the whole file also in a response with a part of it (206).
/// `Content-Digest`, which describes the bytes of one message, is not read.
public enum RepresentationDigest {
  /// Returns the digest; nil if the fields state none, several different ones or one that is malformed, or if
  /// the representation has a content coding.
  public static func sha256(in fields: HTTPFields) -> Digest? {
    guard !isCoded(fields) else { return nil }
    let stated = fields.all("Repr-Digest").flatMap(structured) + fields.all("Digest").flatMap(plain)
    guard let first = stated.first, stated.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private static func isCoded(_ fields: HTTPFields) -> Bool {
    fields.all("Content-Encoding").flatMap { FieldList.members($0) }
      .contains { !HTTPFields.isSame($0, "identity") }
  }

  /// Parses a dictionary of byte sequences (RFC 8941 §3.2, §3.3.5): `sha-256=:…:, sha-512=:…:`. Base64 contains
  /// no comma, so the members can be split without parsing the other ones.
  private static func structured(_ value: String) -> [Digest?] {
    FieldList.members(value).compactMap { member in
      guard let text = argument(of: member, named: "sha-256") else { return nil }
      // Parameters of the byte sequence have no meaning.
      let bytes = text.utf8.prefix { $0 != ASCII.semicolon }
      let sequence = FieldList.trim(Substring(bytes)).utf8
      guard sequence.count >= 2, sequence.first == ASCII.colon, sequence.last == ASCII.colon else {
        return .some(nil)
      }
      return .some(digest(Substring(sequence.dropFirst().dropLast())))
    }
  }

  /// Parses a list of instance digests (RFC 3230 §4.3.2): `SHA-256=…,MD5=…`. Algorithms compare without regard
  /// to case.
  private static func plain(_ value: String) -> [Digest?] {
    FieldList.members(value).compactMap { member in
      argument(of: member, named: "sha-256").map(digest)
    }
  }

  private static func argument(of member: Substring, named name: String) -> Substring? {
    guard let sign = member.utf8.firstIndex(of: UInt8(ascii: "=")),
      HTTPFields.isSame(member[..<sign], name)
    else { return nil }
    return member[member.utf8.index(after: sign)...]
  }

  private static func digest(_ base64: Substring) -> Digest? {
    guard base64.utf8.count == 44, let bytes = Base64.decode(base64) else { return nil }
    return Digest(bytes)
  }
}
