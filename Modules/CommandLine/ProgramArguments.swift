/// The words of a command line, which must be UTF-8. Swift's own list of arguments replaces invalid bytes by
/// U+FFFD, which would name another file or none.
public enum ProgramArguments {
  /// Returns the arguments of this process, without the name of the program.
  /// - Throws: `UsageError` if an argument is not UTF-8.
  public static func ofProcess(_ program: String) throws(UsageError) -> [String] {
    let count = Int(Swift.CommandLine.argc)
    let words = UnsafeBufferPointer(start: Swift.CommandLine.unsafeArgv, count: count)
    var decoded: [String] = []
    for (number, word) in words.enumerated().dropFirst() {
      guard let word else { break }
      let bytes = UnsafeRawBufferPointer(start: word, count: Self.length(word))
      decoded.append(try decode(bytes, number: number, program))
    }
    return decoded
  }

  /// - Parameter number: The number of the word after the program's name, from 1.
  static func decode(
    _ bytes: some Collection<UInt8>, number: Int, _ program: String
  ) throws(UsageError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw UsageError(
      .invalidValue, commandPath: [program],
      message:
        "argument \(number) is not UTF-8: \(visible(bytes)); files with such names cannot be used "
        + "until they are renamed")
  }

  /// Returns the text in quotation marks, with `\xff` in place of each byte that is not part of a UTF-8
  /// character.
  private static func visible(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let character = (1...min(4, rest.count)).lazy.compactMap { count in
        String(validating: rest.prefix(count), as: UTF8.self).map { (count, $0) }
      }.first
      if let (count, piece) = character {
        text += piece
        rest = rest.dropFirst(count)
      } else {
        let digits = String(rest.removeFirst(), radix: 16)
        text += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text.quoted
  }

  private static func length(_ word: UnsafePointer<CChar>) -> Int {
    var length = 0
    while word[length] != 0 { length += 1 }
    return length
  }
}
