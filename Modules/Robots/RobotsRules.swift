public import Models

/// The rules of a robots.txt file that apply to one crawler (RFC 9309).
///
/// Parsing reads at most `maximumBytes` and takes O(length); every file is valid, because lines that are no
/// records are ignored.
public struct RobotsRules: Sendable, Equatable {
  /// The number of bytes of a file that are parsed (RFC 9309 §2.5); the rest is ignored.
  public static let maximumBytes = 500 << 10
  /// The longest `crawlDelay`, in seconds; a longer one counts as this.
  public static let maximumCrawlDelay = 60.0
  /// The number of bytes that the wildcards of a file may make `allows` read for one target. Beyond it the
  /// target is disallowed. Only a file that is written for this purpose needs so many: a thousand rules with
  /// wildcards read 1 MiB for a target of 1 KiB.
  static let maximumSearchedBytes = 1 << 20

  /// The rules of a site that allows everything.
  public static let none = RobotsRules()

  private struct Rule: Sendable, Equatable {
    let pattern: PathPattern
    let isAllowed: Bool
  }

  /// The rules, the most specific first.
  private var rules: [Rule] = []
  /// The time in seconds that the site wants between two requests; nil if it states none. `Crawl-delay` is
  /// not part of RFC 9309.
  public private(set) var crawlDelay: Double?

  private init() {}

  /// Parses the groups that name the crawler. All of them count as one group; without any, the groups for
  /// `*` apply (RFC 9309 §2.2.1).
  public init(parsing text: [UInt8], for token: ProductToken) {
    var parser = GroupParser(token)
    RobotsText.forEachRecord(in: Self.complete(text)) { parser.read($0, $1) }
    let group = parser.group
    crawlDelay = group.crawlDelay
    rules = group.rules.map { Rule(pattern: $0.pattern, isAllowed: $0.isAllowed) }
    // The rule with the most bytes decides, and of two such rules the one that allows (RFC 9309 §2.2.2).
    rules.sort { a, b in
      let (first, second) = (a.pattern.bytes.count, b.pattern.bytes.count)
      return first == second ? a.isAllowed && !b.isAllowed : first > second
    }
  }

  /// The part of a file that is parsed. A line that the limit cuts off is left out, because the beginning of
  /// a path would match more than the whole path.
  private static func complete(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var head = text.prefix(maximumBytes)
    if head.count < text.count {
      let lastEnd = head.lastIndex { $0 == 0x0a || $0 == 0x0d } ?? head.startIndex
      head = head[..<lastEnd]
    }
    return head.withoutByteOrderMark
  }

  /// Returns whether the crawler may request the URL. The file itself is always allowed (RFC 9309 §2.2.2).
  ///
  /// O(length of the rules + number of rules with wildcards × length of the target).
  public func allows(_ url: HTTPURL) -> Bool {
    guard !rules.isEmpty, url.path != "/robots.txt" else { return true }
    let target = ComparisonForm.target(url.target)
    var searched = 0
    for rule in rules {
      if rule.pattern.matches(target, searched: &searched) { return rule.isAllowed }
      guard searched <= Self.maximumSearchedBytes else { return false }
    }
    return true
  }

  /// The approximate number of bytes that the rules take in memory.
  public var byteCount: Int { rules.reduce(0) { $0 + 64 + $1.pattern.bytes.count } }
}
