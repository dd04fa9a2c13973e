// Checks every `import` of the package against the dependencies that Package.swift declares, and the
// dependencies against the layers. The compiler's own check does not cover transitive modules.
//
// Usage: imports PACKAGE-ROOT FOLDER=DUMP...
// FOLDER is the folder of a package below the root (`.` for the root), DUMP a file with the output of
// `swift package dump-package` in that folder.
// Prints a line for each finding; the exit code is 1 if there are any.

import Foundation

struct Package: Decodable {
  var targets: [Target]
  var products: [Product]

  struct Product: Decodable {
    var name: String
    var targets: [String]
  }
}

struct Target: Decodable {
  var name: String
  var type: String
  var path: String
  var dependencies: [Dependency]

  /// In the dump a dependency is `{"byName": [name, condition]}`, or the same under `target` or `product`.
  struct Dependency: Decodable {
    var name: String

    init(from decoder: any Decoder) throws {
      let form = try decoder.singleValueContainer().decode([String: [Name]].self)
      name = form.values.first?.first?.text ?? ""
    }

    private struct Name: Decodable {
      var text: String?
      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }

  enum CodingKeys: CodingKey { case name, type, path, dependencies }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    type = try values.decode(String.self, forKey: .type)
    path = try values.decodeIfPresent(String.self, forKey: .path) ?? "Sources/\(name)"
    dependencies = try values.decode([Dependency].self, forKey: .dependencies)
  }

  var isProgram: Bool { type == "executable" }
  var isTest: Bool { path.hasPrefix("Tests/") }
  /// A folder of a port that holds an implementation (`Modules/Archive/Minizip`), not what the
  /// implementations share: the interface, the decoders' port, the messages to their process, and what
  /// finds images in markup.
  var isAdapter: Bool {
    let parts = path.split(separator: "/")
    let ports = ["Transport", "Archive", "Rendering", "Persistence", "Markup"]
    let shared = ["Interface", "Decoding", "Messages", "Extraction", "Encoding", "Documents"]
    return parts.count == 3 && parts[0] == "Modules" && ports.contains(String(parts[1]))
      && !shared.contains(String(parts[2]))
  }
  var isInterface: Bool { path.hasSuffix("/Interface") }
  var isDecoder: Bool {
    isAdapter && path.hasPrefix("Modules/Rendering/") && !path.hasSuffix("Sandbox")
  }
}

/// An `import` line.
struct Import {
  var module: String
  var place: String
}

let toolchainModules: Set = [
  "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc",
  "Synchronization", "Testing",
]

/// The imports of all Swift files below `folder`, the folders of other targets left out.
func imports(below folder: String, except others: [String], root: URL) throws -> [Import] {
  let base = root.appending(path: folder)
  let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
  var found: [Import] = []
  for name in names.sorted() where name.hasSuffix(".swift") {
    let path = "\(folder)/\(name)"
    guard !others.contains(where: { path.hasPrefix($0 + "/") }) else { continue }
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    found += imports(in: text).map { Import(module: $0.module, place: "\(path):\($0.line)") }
  }
  return found
}

/// The imported modules of a source text; what stands in a multi-line string does not count.
func imports(in text: String) -> [(module: String, line: Int)] {
  let pattern =
    #/^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/#
  var found: [(String, Int)] = []
  var isInString = false
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let marks = line.ranges(of: "\"\"\"").count
    if !isInString, let match = line.prefixMatch(of: pattern) {
      found.append((String(match.1), index + 1))
    }
    if !marks.isMultiple(of: 2) { isInString.toggle() }
  }
  return found
}

/// Checks the targets of all packages.
struct Checker {
  let root: URL
  let targets: [Target]
  /// The targets that a dependency can name: a target by its name, or all of a product.
  private let byName: [String: [Target]]
  var findings: [String] = []

  init(packages: [Package], root: URL) {
    self.root = root
    targets = packages.flatMap(\.targets)
    let named = Dictionary(grouping: targets, by: \.name)
    let products = packages.flatMap(\.products).map {
      ($0.name, $0.targets.flatMap { named[$0] ?? [] })
    }
    byName = named.merging(products) { targets, _ in targets }
  }

  mutating func run() throws {
    for target in targets where target.type != "system" {
      let declared = target.dependencies.flatMap { byName[$0.name] ?? [] }
      try checkImports(of: target, declared: declared)
      checkLayers(of: target, declared: declared)
    }
    for program in targets where program.isProgram && program.name != "imgdl-render" {
      for decoder in closure(of: program).filter(\.isDecoder) {
        report(program, "must not reach \(decoder.name): decoders live in imgdl-render alone")
      }
    }
  }

  private mutating func checkImports(of target: Target, declared: [Target]) throws {
    let nested = targets.map(\.path).filter { $0.hasPrefix(target.path + "/") }
    let imports = try imports(below: target.path, except: nested, root: root)
    for line in imports where line.module != target.name {
      if line.module == "FoundationNetworking", target.name != "imgdl-urlsession" {
        findings.append("\(line.place): FoundationNetworking belongs to imgdl-urlsession alone")
      } else if !toolchainModules.contains(line.module),
        !declared.contains(where: { $0.moduleName == line.module })
      {
        findings.append(
          "\(line.place): \(target.name) imports \(line.module), which Package.swift does not"
            + " declare for it")
      }
    }
    let used = Set(imports.map(\.module))
    for dependency in declared where !dependency.isProgram && dependency.name != "TestSupport" {
      guard !used.contains(dependency.moduleName) else { continue }
      report(target, "declares \(dependency.name), but no file imports it")
    }
  }

  private mutating func checkLayers(of target: Target, declared: [Target]) {
    let modules = declared.filter { $0.type != "system" && !$0.isProgram }
    for dependency in modules {
      let inApps = dependency.path.hasPrefix("Apps/")
      if target.isAdapter, dependency.isAdapter || dependency.name == "Engine" || inApps {
        report(target, "is an adapter and must not depend on \(dependency.name)")
      } else if dependency.isAdapter, !mayNameAdapters(target) {
        report(target, "must not name the adapter \(dependency.name): only Composition does")
      } else if target.isInterface,
        // What adapters share opens files, without following links.
        !["Models", "Wiring", "SystemCalls"].contains(dependency.name)
      {
        report(target, "is an interface and must not depend on \(dependency.name)")
      } else if dependency.name == "Engine", target.name != "Composition", !target.isTest {
        report(target, "must not depend on Engine: programs ask it through LibraryAPI")
      } else if target.path.hasPrefix("Modules/"), inApps {
        report(target, "is a module and must not depend on the program part \(dependency.name)")
      } else if target.name == "Models" {
        report(target, "holds values and must not depend on \(dependency.name)")
      }
    }
  }

  /// Composition, the helper programs that host adapters, and tests.
  private func mayNameAdapters(_ target: Target) -> Bool {
    ["Composition", "imgdl-render", "imgdl-unpack", "imgdl-markup", "imgdl-urlsession"]
      .contains(target.name) || target.isTest
  }

  /// Everything that is linked into a target; other programs are not.
  private func closure(of target: Target) -> [Target] {
    var seen: Set<String> = []
    var waiting = [target]
    while let next = waiting.popLast() {
      for name in next.dependencies.map(\.name) where seen.insert(name).inserted {
        waiting += (byName[name] ?? []).filter { !$0.isProgram }
      }
    }
    let reached = seen.flatMap { byName[$0] ?? [] }.map(\.name)
    return targets.filter { reached.contains($0.name) && !$0.isProgram }
  }

  private mutating func report(_ target: Target, _ text: String) {
    findings.append("Package.swift: \(target.name) \(text)")
  }
}

extension Target {
  /// `imgdl-cli` is imported as `imgdl_cli`.
  var moduleName: String { String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}

let root = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
var packages: [Package] = []
for argument in CommandLine.arguments.dropFirst(2) {
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  let dump = try Data(contentsOf: URL(filePath: parts[1]))
  var package = try JSONDecoder().decode(Package.self, from: dump)
  if parts[0] != "." {
    for index in package.targets.indices {
      package.targets[index].path = "\(parts[0])/\(package.targets[index].path)"
    }
  }
  packages.append(package)
}
var checker = Checker(packages: packages, root: root)
try checker.run()
for finding in checker.findings { print(finding) }
exit(checker.findings.isEmpty ? 0 : 1)
