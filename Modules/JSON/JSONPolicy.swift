/// The rules of a ``JSONParser``: the deviations from RFC 8259 that it accepts, the texts of it that it refuses, and
/// the limits of depth and size.
///
/// The standard values are those of the RFC, which leaves open what repeated names and lone surrogates mean.
public struct JSONPolicy: Equatable, Sendable {
  /// The maximum nesting depth of arrays and objects, the outermost included.
  public var depth = 64
  /// The maximum length in bytes of a string after unescaping, or of a number.
  public var textLength = 1 << 20
  /// The maximum number of values in a ``JSONValue``.
  public var valueCount = 20_000
  /// The maximum length in bytes of all strings, names and numbers in a ``JSONValue``.
  public var totalTextLength = 2 << 20
  /// Whether a byte order mark may precede the value.
  public var allowsByteOrderMark = true
  /// Whether a name may occur twice in an object. Each of them is an event; names are compared by their bytes.
  public var allowsRepeatedNames = true
  /// Whether a `\u` escape may be half of a surrogate pair, as programs write it that cut a text inside an emoji; it
  /// becomes U+FFFD.
  public var allowsLoneSurrogates = true
  /// Whether strings may contain control characters, and backslashes before characters that need none. Between values,
  /// control characters are white space.
  public var allowsRawStrings = false
  /// Whether commas between elements or members may be missing, repeated, or without a successor.
  public var allowsOtherCommas = false
  /// Whether other words than `true` and `false` may be values. One of digits, signs and points is a number as written,
  /// and any other, such as `NaN`, is null.
  public var allowsOtherWords = false
  /// Whether `NaN`, `Infinity` and `-Infinity` are numbers as written.
  public var allowsNonFiniteNumbers = false
  /// Whether the parser stops after the value, so that the caller can examine the bytes after it; otherwise only white
  /// space may follow.
  public var stopsAfterValue = false

  public init() {}

  /// The limit of depth alone, for texts of which the caller limits the size.
  private static let sizeLimitedByCaller: JSONPolicy = {
    var policy = JSONPolicy()
    policy.depth = 32
    (policy.textLength, policy.totalTextLength, policy.valueCount) = (.max, .max, .max)
    return policy
  }()

  /// Refuses all that two parsers could read differently. For messages of unknown programs.
  public static let strict: JSONPolicy = {
    var policy = sizeLimitedByCaller
    policy.allowsByteOrderMark = false
    policy.allowsRepeatedNames = false
    policy.allowsLoneSurrogates = false
    return policy
  }()

  /// Accepts what Python's `json.dumps` writes, with 64 levels of columns inside of a row. A surrogate without its
  /// partner becomes U+FFFD, as everywhere.
  public static let python: JSONPolicy = {
    var policy = sizeLimitedByCaller
    policy.depth = 65
    policy.allowsByteOrderMark = false
    policy.allowsNonFiniteNumbers = true
    return policy
  }()

  /// Accepts what people and programs write into web pages.
  public static let lenient: JSONPolicy = {
    var policy = sizeLimitedByCaller
    policy.allowsRawStrings = true
    policy.allowsOtherCommas = true
    policy.allowsOtherWords = true
    policy.stopsAfterValue = true
    return policy
  }()
}
