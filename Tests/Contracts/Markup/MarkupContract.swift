public import Markup
import SystemCalls
import TestSupport
public import Testing

/// A reader that is tested against the contract.
public struct MarkupSubject: Sendable, CustomStringConvertible {
  public let description: String
  let makeReader: @Sendable () -> any MarkupReader

  public init(_ name: String, reader: @escaping @Sendable () -> any MarkupReader) {
    description = name
    makeReader = reader
  }
}

/// One sentence about every reader of markup, and the check of it.
public struct MarkupContractRule: Sendable, CustomTestStringConvertible {
  public let testDescription: String
  private let check: @Sendable (MarkupFixture) throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (MarkupFixture) throws -> Void) {
    testDescription = sentence
    self.check = check
  }

  public func check(_ subject: MarkupSubject) throws { try check(MarkupFixture(subject)) }
}

/// The rules that every reader of markup keeps.
public enum MarkupContract {
  public static let rules = documentRules + limitRules + encodingRules + xmlRules
}

/// One reader, and a folder for its documents.
struct MarkupFixture {
  let reader: any MarkupReader
  let folder: TemporaryFolder

  init(_ subject: MarkupSubject) throws {
    reader = subject.makeReader()
    folder = try TemporaryFolder()
  }

  func open(_ document: [UInt8]) throws -> OwnedDescriptor {
    try FileSystem.open(try folder.write("document", document))
  }

  /// Returns all items of a document.
  func items(_ document: [UInt8], _ request: MarkupRequest = MarkupRequest()) throws -> [MarkupItem]
  {
    var items: [MarkupItem] = []
    try reader.read(try open(document), request) { (batch) throws(MarkupError) in
      #expect(!batch.isEmpty)
      items += batch
    }
    return items
  }

  func items(_ document: String, _ request: MarkupRequest = MarkupRequest()) throws -> [MarkupItem]
  {
    try items(Array(document.utf8), request)
  }

  /// Returns the error with which the reading ends, and the items before it.
  func failure(
    _ document: [UInt8], _ request: MarkupRequest
  ) throws -> (error: MarkupError?, items: [MarkupItem]) {
    var items: [MarkupItem] = []
    let file = try open(document)
    do throws(MarkupError) {
      try reader.read(file, request) { (batch) throws(MarkupError) in items += batch }
      return (nil, items)
    } catch {
      expectSentence(error.description)
      return (error, items)
    }
  }
}

extension MarkupItem {
  /// The URL of an entry; nil for another item.
  var url: String? { if case .entry(let entry) = self { entry.url } else { nil } }
}
