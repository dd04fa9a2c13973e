import Glibc

/// Encrypted documents of one page that is red in its lower left quarter (PDF 1.7, section 7.6, revision 2 of the standard
/// security handler: RC4 with a key of 40 bits).
public enum TestPDF {
  /// - Parameters:
  ///   - password: to open it.
  ///   - owner: to do more with it.
  public static func encrypted(password: String, owner: String) -> [UInt8] {
    // Algorithm 3: the owner's entry holds the user's password.
    let ownerKey = Array(MD5.digest(padded(owner)).prefix(keyLength))
    let ownerEntry = RC4.applied(ownerKey, to: padded(password))
    // Algorithm 2: the key, of the password and everything that must not be changed.
    let key = Array(
      MD5.digest(padded(password) + ownerEntry + littleEndian(permissions, 4) + identifier)
        .prefix(keyLength))
    // Algorithm 4.
    let userEntry = RC4.applied(key, to: padding)
    let content = Array("1 0 0 rg 0 0 50 50 re f".utf8)
    return file(content: sealed(content, key, object: 4), ownerEntry, userEntry)
  }

  private static let keyLength = 5
  private static let permissions = -4
  private static let identifier = Array("sixteen bytes !".utf8)
  private static let padding: [UInt8] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
  ]

  private static func padded(_ password: String) -> [UInt8] {
    Array((Array(password.utf8) + padding).prefix(32))
  }

  private static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Algorithm 1: the key of an object has the object's number in it.
  private static func sealed(_ bytes: [UInt8], _ key: [UInt8], object: Int) -> [UInt8] {
    let salted = MD5.digest(key + littleEndian(object, 3) + [0, 0])
    return RC4.applied(Array(salted.prefix(keyLength + 5)), to: bytes)
  }

  private static func file(
    content: [UInt8], _ ownerEntry: [UInt8], _ userEntry: [UInt8]
  ) -> [UInt8] {
    func hexadecimal(_ bytes: [UInt8]) -> String {
      "<" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + ">"
    }
    let objects: [[UInt8]] = [
      Array("<< /Type /Catalog /Pages 2 0 R >>".utf8),
      Array("<< /Type /Pages /Kids [3 0 R] /Count 1 >>".utf8),
      Array("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>".utf8),
      Array("<< /Length \(content.count) >> stream\n".utf8) + content + Array("\nendstream".utf8),
      Array(
        "<< /Filter /Standard /V 1 /R 2 /O \(hexadecimal(ownerEntry)) /U \(hexadecimal(userEntry)) /P \(permissions) >>"
          .utf8),
    ]
    var file = Array("%PDF-1.4\n".utf8)
    // Twenty bytes for each object (section 7.5.4).
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      table +=
        String(repeating: "0", count: 10 - "\(file.count)".count) + "\(file.count) 00000 n \n"
      file += Array("\(index + 1) 0 obj ".utf8) + object + Array(" endobj\n".utf8)
    }
    let name = hexadecimal(identifier)
    let end = """
      xref
      0 6
      \(table)trailer << /Root 1 0 R /Size 6 /Encrypt 5 0 R /ID [\(name) \(name)] >>
      startxref
      \(file.count)
      %%EOF

      """
    return file + Array(end.utf8)
  }
}

/// The cipher of PDF before AES.
private enum RC4 {
  static func applied(_ key: [UInt8], to bytes: [UInt8]) -> [UInt8] {
    var box = (0...255).map { UInt8($0) }
    var j = 0
    for i in 0..<256 {
      j = (j + Int(box[i]) + Int(key[i % key.count])) & 255
      box.swapAt(i, j)
    }
    var i = 0
    j = 0
    return bytes.map { byte in
      i = (i + 1) & 255
      j = (j + Int(box[i])) & 255
      box.swapAt(i, j)
      return byte ^ box[(Int(box[i]) + Int(box[j])) & 255]
    }
  }
}

/// RFC 1321.
private enum MD5 {
  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    message += (0..<8).map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> (8 * $0)) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for start in stride(from: 0, to: message.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) {
          $0 | UInt32(message[start + word * 4 + $1]) << (8 * UInt32($1))
        }
      }
      state = zip(state, round(state, words)).map { $0 &+ $1 }
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
  }

  private static func round(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, word): (UInt32, Int) =
        switch step / 16 {
        case 0: (b & c | ~b & d, step)
        case 1: (d & b | ~d & c, (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ mixed &+ sines[step] &+ words[word]
      let shift = shifts[step / 16][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    return [a, b, c, d]
  }
}
