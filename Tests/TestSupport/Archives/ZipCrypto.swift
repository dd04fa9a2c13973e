/// The traditional encryption of ZIP files (PKWARE APPNOTE.TXT 6.3, section 6.1).
public struct ZipCrypto {
  private var keys: (UInt32, UInt32, UInt32) = (0x1234_5678, 0x2345_6789, 0x3456_7890)

  private init(_ password: String) {
    for byte in password.utf8 { update(byte) }
  }

  private mutating func update(_ byte: UInt8) {
    keys.0 = Self.checksum(keys.0, byte)
    keys.1 = (keys.1 &+ (keys.0 & 0xff)) &* 134_775_813 &+ 1
    keys.2 = Self.checksum(keys.2, UInt8(keys.1 >> 24))
  }

  private mutating func encrypt(_ byte: UInt8) -> UInt8 {
    let temporary = (keys.2 | 2) & 0xffff
    let mask = UInt8((temporary &* (temporary ^ 1)) >> 8 & 0xff)
    update(byte)
    return byte ^ mask
  }

  private static func checksum(_ crc: UInt32, _ byte: UInt8) -> UInt32 {
    var value = (crc ^ UInt32(byte)) & 0xff
    for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    return crc >> 8 ^ value
  }

  /// Twelve bytes, the last of which checks the password, and the data.
  static func encrypt(_ data: [UInt8], checksum: UInt32, _ password: String) -> [UInt8] {
    var cipher = ZipCrypto(password)
    let header = (1...11).map { UInt8($0) } + [UInt8(checksum >> 24)]
    return (header + data).map { cipher.encrypt($0) }
  }
}

extension ZipBuilder.Entry {
  /// The entry as a program that knows the password has it.
  public func encrypted(_ password: String) -> ZipBuilder.Entry {
    var entry = self
    entry.packed = ZipCrypto.encrypt(packed, checksum: crc, password)
    entry.flags |= 1
    return entry
  }
}
