import Manifests
import Models

/// All that came of a list.
struct Reading: Equatable {
  var items: [ManifestItem] = []
  var error: ManifestError?
  var entryCount = 0
  var problemCount = 0
  var format: ManifestFormat?
  var layout: RecordedLayout?

  init(
    _ bytes: [UInt8], format: ManifestFormat? = nil, name: String = "list", base: HTTPURL? = nil,
    limits: ManifestLimits = ManifestLimits(), chunks: [Int] = [],
    columns: ListColumns = ListColumns(), layout: RecordedLayout? = nil, isTable: Bool = false
  ) {
    var parser = ManifestParser(
      format: format, name: name, base: base, limits: limits, columns: columns, layout: layout,
      isTable: isTable)
    do throws(ManifestError) {
      for piece in pieces(of: bytes, chunks) { try parser.receive(piece.span.bytes, into: &items) }
      try parser.finish(into: &items)
    } catch {
      self.error = error
    }
    entryCount = parser.entryCount
    problemCount = parser.problemCount
    self.format = parser.format
    self.layout = parser.layout
  }

  init(
    _ text: String, format: ManifestFormat? = nil, base: HTTPURL? = nil,
    limits: ManifestLimits = ManifestLimits()
  ) {
    self.init(Array(text.utf8), format: format, base: base, limits: limits)
  }

  var entries: [ManifestEntry] {
    items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
  }

  var problems: [ManifestProblem] {
    items.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
  }

  var nextPages: [String] {
    items.compactMap { if case .nextPage(let text) = $0 { text } else { nil } }
  }

  var urls: [String] { entries.map(\.url.description) }
}

/// `bytes` cut at the given lengths; the rest is one piece.
func pieces(of bytes: [UInt8], _ lengths: [Int]) -> [ArraySlice<UInt8>] {
  var result: [ArraySlice<UInt8>] = []
  var rest = bytes[...]
  for length in lengths where !rest.isEmpty {
    result.append(rest.prefix(length))
    rest = rest.dropFirst(length)
  }
  if !rest.isEmpty { result.append(rest) }
  return result
}

/// SplitMix64: the same numbers for the same seed everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
