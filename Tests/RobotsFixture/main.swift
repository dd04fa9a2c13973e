import Foundation
import Models
import Robots

/// Decides for comparisons with other parsers: reads cases as lines of JSON on standard input, and prints
/// for each a line with the verdicts on its targets and the delay.
struct Case: Decodable {
  let agent: String
  let file: String
  let targets: [String]
}

struct Answer: Encodable {
  let allowed: [Bool]
  let delay: Double?
}

let origin = HTTPURL.Origin(scheme: .http, host: "h", port: 80)
while let line = readLine() {
  let input = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
  let rules = RobotsRules(
    parsing: Array(input.file.utf8), for: ProductToken(userAgent: input.agent))
  let allowed = input.targets.map { rules.allows(HTTPURL(origin: origin, target: $0)) }
  let answer = Answer(allowed: allowed, delay: rules.crawlDelay)
  print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
  fflush(nil)
}
