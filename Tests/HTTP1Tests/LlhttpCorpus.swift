import Foundation

/// One example of llhttp's test tables: an input and the log that its strict parser must write.
struct LlhttpExample: Sendable {
  let file: String
  let title: String
  let kind: String
  let input: [UInt8]
  let log: String

  enum Verdict { case complete, incomplete, refused }

  /// What llhttp makes of the first message that is not an interim response.
  var verdict: Verdict {
    var log = log[...]
    while let interim = log.firstRange(of: /headers complete status=1\d\d/),
      let next = log[interim.upperBound...].range(of: "message begin")
    {
      log = log[next.upperBound...]
    }
    let complete = log.range(of: "message complete")?.lowerBound
    let error = log.range(of: "error code=")?.lowerBound
    guard let complete else { return error == nil ? .incomplete : .refused }
    return complete < error ?? log.endIndex ? .complete : .refused
  }
}

/// The examples of the corpus, which is not part of this repository; empty where it is not there.
enum LlhttpCorpus {
  static let folder =
    (ProcessInfo.processInfo.environment["IMGDL_CORPUS"] ?? "../shared/corpus") + "/http/llhttp"

  static let examples: [LlhttpExample] = ["response", "request"].flatMap { kind in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")) ?? []
    return names.sorted().filter { $0.hasSuffix(".md") && !$0.hasPrefix("lenient") }
      .flatMap { name in
        let text = (try? String(contentsOfFile: "\(folder)/\(kind)/\(name)", encoding: .utf8)) ?? ""
        return read(text, file: "\(kind)/\(name)")
      }
  }

  private static func read(_ text: String, file: String) -> [LlhttpExample] {
    var examples: [LlhttpExample] = []
    var title = ""
    var kind = ""
    var input: String?
    var block: String?
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let name = block {
        guard line == "```" else {
          lines.append(line)
          continue
        }
        let content = lines.joined(separator: "\n")
        if name == "http" { input = content }
        if name == "log", let source = input {
          examples.append(
            LlhttpExample(
              file: file, title: title, kind: kind, input: unescape(source), log: content))
          input = nil
        }
        block = nil
      } else if line.hasPrefix("```") {
        block = String(line.dropFirst(3))
        lines = []
      } else if line.hasPrefix("#") {
        title = line.drop { $0 == "#" || $0 == " " }.description
      } else if line.contains("meta="), let type = line.range(of: #""type": ""#) {
        kind = String(line[type.upperBound...].prefix { $0 != "\"" })
      }
    }
    return examples
  }

  /// The notation of the tables: lines end in CR LF but after a backslash, which joins them.
  private static func unescape(_ text: String) -> [UInt8] {
    let joined = text.replacingOccurrences(of: "\\\n", with: "")
      .replacingOccurrences(of: "\n", with: "\r\n")
    var output: [UInt8] = []
    var bytes = Array(joined.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = bytes.first else {
        output.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): output.append(0x0a)
      case UInt8(ascii: "r"): output.append(0x0d)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "f"): output.append(0x0c)
      case UInt8(ascii: "\""): output.append(next)
      case UInt8(ascii: "x"):
        let digits = String(decoding: bytes.dropFirst().prefix(2), as: UTF8.self)
        guard let value = UInt8(digits, radix: 16) else { continue }
        output.append(value)
        bytes = bytes.dropFirst(2)
      default:
        output.append(byte)
        continue
      }
      bytes = bytes.dropFirst()
    }
    return output
  }
}
