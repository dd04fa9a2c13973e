import CommandLine
import Composition
import Models
import ProgramSupport
import SystemCalls
import Wiring

/// The validated request of an experiment. Every error that can be detected in advance is reported before the
/// first run.
struct Experiment: Sendable {
  let source: String
  let combinations: [Combination]
  /// The settings of each combination, as the runs of the combination will load them.
  let settings: [Settings]
  let plan: ExperimentPlan
  /// The options of `add` that all runs have in common.
  let common: [String]
  let jsonFile: String?
  let pageFile: String?

  /// - Throws: `UsageError`, `ProgramFailure`, `WiringError`.
  init(_ context: Context) async throws {
    let words = context.invocation
    guard !words.isGiven("library") else {
      throw words.usageError(
        "an experiment uses its own temporary libraries in $TMPDIR", code: .invalidValue)
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
    for path in [jsonFile, pageFile].compactMap(\.self) {
      try await context.refuseFileOfLibrary(path)
      try Self.checkFolder(of: path)
    }
  }

  private static func combinations(_ words: Invocation) throws -> [Combination] {
    let variations = try words.values("vary").map { text in try Variation(text) }
    guard !variations.isEmpty else {
      throw words.usageError("name a setting and its values with --vary", code: .missingArgument)
    }
    for key in variations.map(\.key) where fixed(words).contains(key) {
      throw Variation.failure("\(key) is also set for all combinations")
    }
    return try Combination.all(of: variations)
  }

  /// The keys of the settings to which --set, --max-concurrent-downloads or --no-thumbnails gives one value for
  /// the whole experiment. --vary must not name them.
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
    // Wiring detects adapters that do not exist or do not support the settings.
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

  /// Checks that the result can be written, because a missing folder would otherwise be detected after all
  /// runs.
  private static func checkFolder(of path: String) throws {
    let folder = FileSystem.parentFolder(of: path)
    guard try FileSystem.status(folder).kind == .folder else {
      throw ProgramFailure(.disk, "cannot write \(path): \(folder) is not a folder")
    }
  }
}

extension Experiment {
  /// Returns the command line of one run of a combination.
  func commandLine(_ combination: Int, library: String, summary: String) -> [String] {
    let varied = combinations[combination].settings.flatMap {
      ["--set", "\($0.key)=\($0.value)"]
    }
    return ["add", "--library", library, "--summary", summary] + common + varied + ["--", source]
  }
}
