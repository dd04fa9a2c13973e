/// A file with access keys in the format of `~/.aws/credentials`: sections for profiles, with a line
/// `name = value` for each text. Other names and comments are skipped.
public struct SharedCredentialsFile: Sendable {
  private struct Profile {
    var accessKeyID = ""
    var secretAccessKey = ""
    var sessionToken: String?
  }

  private var profiles: [Substring: Profile] = [:]

  /// - Throws: `SharedCredentialsError` with the number of the malformed line.
  public init(_ text: String) throws(SharedCredentialsError) {
    var name: Substring?
    for (index, line) in text.utf8.split(
      separator: 0x0a, omittingEmptySubsequences: false
    ).enumerated() {
      // The lines of a text are texts, because a line feed is a character of one byte.
      let line = Self.trimmed(Substring(line))
      switch line.utf8.first {
      case nil, UInt8(ascii: "#"), UInt8(ascii: ";"): continue
      case UInt8(ascii: "["):
        guard line.utf8.last == UInt8(ascii: "]") else {
          throw SharedCredentialsError(line: index + 1, reason: "\"[\" without \"]\"")
        }
        name = Self.trimmed(line.dropFirst().dropLast())
        if let name, profiles[name] == nil { profiles[name] = Profile() }
      default:
        guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
          throw SharedCredentialsError(line: index + 1, reason: "a line without \"=\"")
        }
        guard let name else {
          throw SharedCredentialsError(line: index + 1, reason: "a value before the first profile")
        }
        let value = Self.trimmed(line[line.utf8.index(after: equals)...])
        set(Self.trimmed(line[..<equals]).lowercased(), String(value), of: name)
      }
    }
  }

  private mutating func set(_ name: String, _ value: String, of profile: Substring) {
    switch name {
    case "aws_access_key_id": profiles[profile]?.accessKeyID = value
    case "aws_secret_access_key": profiles[profile]?.secretAccessKey = value
    case "aws_session_token": profiles[profile]?.sessionToken = value
    default: break
    }
  }

  /// Returns the access key of a profile; nil if the file has no such profile or the profile has no valid key.
  public func credentials(of profile: String) -> SigningCredentials? {
    profiles[Substring(profile)].flatMap {
      SigningCredentials(
        accessKeyID: $0.accessKeyID, secretAccessKey: $0.secretAccessKey,
        sessionToken: $0.sessionToken)
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d }
    let start = text.utf8.drop(while: isBlank)
    let count = start.reversed().prefix(while: isBlank).count
    return Substring(start.dropLast(count))
  }
}

/// The reason why a file of access keys cannot be parsed. Never includes contents of the file.
public struct SharedCredentialsError: Error, Sendable, Equatable {
  /// The number of the line, from 1.
  public let line: Int
  public let reason: String
}
