import Foundation
import SystemCalls

/// `Documentation/API.yaml`.
public struct APIDescription: Sendable {
  public struct Operation: Hashable, Sendable {
    public let method: String
    public let path: String

    public init(method: String, path: String) {
      self.method = method
      self.path = path
    }
  }

  public let document: Node

  public init() throws {
    let bytes = try FileSystem.contents(of: Self.folder + "/API.yaml", limit: 4 << 20)
    document = try YAMLText.parse(String(decoding: bytes, as: UTF8.self))
  }

  /// `Documentation` of this checkout.
  public static let folder =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Documentation")
    .path

  public var operations: Set<Operation> {
    var all: Set<Operation> = []
    for path in document["paths"]?.keys ?? [] {
      for method in document["paths"]?[path]?.keys ?? [] where method != "parameters" {
        all.insert(Operation(method: method.uppercased(), path: path))
      }
    }
    return all
  }

  /// The operation that a request is one of.
  public func operation(_ method: String, _ target: String) -> Operation? {
    let path = target.prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return operations.first { operation in
      let pattern = operation.path.split(separator: "/", omittingEmptySubsequences: false)
      return operation.method == method && pattern.count == parts.count
        && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
  }

  /// What is wrong with an answer; empty if nothing is.
  public func problems(
    _ operation: Operation, status: Int, type: String?, body: [UInt8]
  ) -> [String] {
    let responses = document["paths"]?[operation.path]?[operation.method.lowercased()]?["responses"]
    guard var response = responses?["\(status)"] ?? responses?["default"] else {
      return ["\(operation): the status \(status) is not described"]
    }
    let schema = Schema(document: document)
    if let reference = response["$ref"]?.string { response = schema.resolve(reference) }
    guard let content = response["content"] else {
      return body.isEmpty ? [] : ["\(operation): \(status) has a body"]
    }
    guard let type, let description = content[String(type.prefix { $0 != ";" })]?["schema"] else {
      return ["\(operation): the type \(type ?? "none") is not described for \(status)"]
    }
    guard type.hasSuffix("json") else { return [] }
    do {
      let value = try Node(json: String(decoding: body, as: UTF8.self))
      return schema.problems(of: value, description).map { "\(operation): \(status): \($0)" }
    } catch {
      return ["\(operation): \(status): no JSON: \(error)"]
    }
  }
}
