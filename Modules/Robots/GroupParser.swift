/// Collects the rules of the groups that apply to one crawler (RFC 9309 §2.2.1).
///
/// A group is one or more `User-agent` lines and the rules after them. Other records neither begin nor end
/// a group.
struct GroupParser {
  struct Group {
    var rules: [(pattern: PathPattern, isAllowed: Bool)] = []
    var crawlDelay: Double?
  }

  private let token: ProductToken
  /// The groups that name the crawler, merged; nil if there is none.
  private var named: Group?
  /// The groups for every crawler, merged.
  private var general = Group()
  /// Whether the current group names the crawler.
  private var isNamed = false
  /// Whether the current group is for every crawler.
  private var isGeneral = false
  /// Whether the current group has a rule, so that the next `User-agent` line begins another group.
  private var hasRule = false

  init(_ token: ProductToken) { self.token = token }

  /// The group that the crawler must obey.
  var group: Group { named ?? general }

  mutating func read(_ name: [UInt8], _ value: ArraySlice<UInt8>) {
    switch name {
    case Self.userAgent: beginGroup(value)
    case Self.allow: append(value, isAllowed: true)
    case Self.disallow: append(value, isAllowed: false)
    case Self.crawlDelay:
      if let delay = Self.seconds(value) { change { $0.crawlDelay = delay } }
    default: break
    }
  }

  private mutating func beginGroup(_ name: ArraySlice<UInt8>) {
    if hasRule { (isNamed, isGeneral, hasRule) = (false, false, false) }
    if name.elementsEqual([ComparisonForm.wildcard]) {
      isGeneral = true
    } else if !token.bytes.isEmpty, ProductToken.leadingToken(name) == token.bytes {
      isNamed = true
      named = named ?? Group()
    }
  }

  /// An empty pattern is a rule that matches nothing.
  private mutating func append(_ value: ArraySlice<UInt8>, isAllowed: Bool) {
    hasRule = true
    guard isNamed || isGeneral, let pattern = PathPattern(value) else { return }
    change { $0.rules.append((pattern, isAllowed)) }
  }

  private mutating func change(_ body: (inout Group) -> Void) {
    if isNamed, var group = named.take() {
      body(&group)
      named = group
    }
    if isGeneral { body(&general) }
  }

  /// Parses a decimal number of seconds, such as `2` or `0.5`; nil for any other text.
  private static func seconds(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.count <= 20, text.contains(where: { $0 >= 0x30 && $0 <= 0x39 }),
      text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") }),
      let seconds = Double(String(decoding: text, as: UTF8.self))
    else { return nil }
    return min(seconds, RobotsRules.maximumCrawlDelay)
  }

  private static let userAgent = Array("user-agent".utf8)
  private static let allow = Array("allow".utf8)
  private static let disallow = Array("disallow".utf8)
  private static let crawlDelay = Array("crawl-delay".utf8)
}
