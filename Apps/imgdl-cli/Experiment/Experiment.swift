import CommandLine
import Composition
import Models
import ProgramSupport
import SystemCalls
import Wiring

/// What was requested, checked: whatever can be found wrong is found before anything runs.
struct Experiment: Sendable {
  let source: String
  let combinations: [Combination]
  /// Of each combination, as its runs will have them.
  let settings: [Settings]
  let plan: ExperimentPlan
  /// Words for `add` that all runs have.
  let common: [String]
  let jsonFile: String?
  let pageFile: String?

  /// - Throws: `UsageError`, `ProgramFailure`, `WiringError`.
  init(_ context: Context) async throws {
    let words = context.invocation
    guard !words.isGiven("library") else {
      throw words.usageError(
        "an experiment has libraries of its own; TMPDIR says where", code: .invalidValue)
    }
    source = words.argument("SOURCE") ?? ""
    combinations = try Self.combinations(words)
    var settings: [Settings] = []
    for combination in combinations {
      settings.append(try await Self.settings(combination, over: context.settings))
    }
    self.settings = settings
    plan = ExperimentPlan(
      combinations: combinations.count, repetitions: words.integer("repeat") ?? 1,
      warmups: words.integer("warmup") ?? 0)
    common = Self.common(words)
    jsonFile = words.value("json")
    pageFile = words.value("html")
    try await Self.check(source, context)
    for path in [jsonFile, pageFile].compactMap(\.self) { try Self.checkPlace(of: path) }
  }

  private static func combinations(_ words: Invocation) throws -> [Combination] {
    let variations = try words.values("vary").map { text in try Variation(text) }
    guard !variations.isEmpty else {
      throw words.usageError("name a setting and its values with --vary", code: .missingArgument)
    }
    for key in variations.map(\.key) where fixed(words).contains(key) {
      throw Variation.failure("\(key) is set for all combinations too")
    }
    return try Combination.all(of: variations)
  }

  /// The keys that other options set.
  private static func fixed(_ words: Invocation) -> Set<String> {
    var keys = Set(words.values("set").map { String($0.prefix { $0 != "=" }) })
    if words.isGiven("max-concurrent-downloads") { keys.insert("network.maxConcurrentDownloads") }
    if words.flag("no-thumbnails") { keys.insert("rendering.thumbnails") }
    return keys
  }

  private static func settings(
    _ combination: Combination, over common: Settings
  ) async throws -> Settings {
    var settings = common
    for setting in combination.settings {
      try SettingsSchema.set(setting.key, to: .text(setting.value), in: &settings)
    }
    // Adapters that do not exist, or that cannot obey the settings, are found by wiring them.
    do throws(WiringError) {
      try await Adapters.check(settings)
    } catch {
      throw Variation.failure("\(combination.label): \(error)")
    }
    return settings
  }

  private static func common(_ words: Invocation) -> [String] {
    var common: [String] = []
    if let count = words.value("max-concurrent-downloads") {
      common += ["--max-concurrent-downloads", count]
    }
    if words.flag("no-thumbnails") { common.append("--no-thumbnails") }
    return common + words.values("set").flatMap { ["--set", $0] }
  }

  private static func check(_ source: String, _ context: Context) async throws {
    guard source != "-" else {
      throw context.invocation.usageError(
        "standard input can be read only once; write it into a file first", code: .invalidValue)
    }
    _ = try await Sources(context, spoolFolder: "").request(source)
  }

  /// A result that cannot be written should not be found out after an hour.
  private static func checkPlace(of path: String) throws {
    let folder = FileSystem.parentFolder(of: path)
    guard try FileSystem.status(folder).kind == .folder else {
      throw ProgramFailure(.disk, "cannot write \(path): \(folder) is not a folder")
    }
  }
}

extension Experiment {
  /// What one run of a combination is told.
  func words(_ combination: Int, library: String, summary: String) -> [String] {
    let varied = combinations[combination].settings.flatMap {
      ["--set", "\($0.key)=\($0.value)"]
    }
    return ["add", "--library", library, "--summary", summary] + common + varied + ["--", source]
  }
}
