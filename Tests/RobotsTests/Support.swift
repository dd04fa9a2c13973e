import Models
import Robots

/// The rules of a file for `imgdl`, or for another crawler.
func rules(_ text: String, for agent: String = "imgdl/0.1") -> RobotsRules {
  RobotsRules(parsing: Array(text.utf8), for: ProductToken(userAgent: agent))
}

extension RobotsRules {
  func allows(target: String) throws -> Bool { allows(try HTTPURL("http://h" + target)) }
}
