import Markup
import MarkupContracts
import MarkupDocuments
import MarkupGumbo
import MarkupLibxml
import MarkupSandbox
import RenderMessages
import TestSupport
import Testing

@Suite("Markup contract") struct MarkupContractTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: MarkupContractRule
    let subject: MarkupSubject
    var testDescription: String { "\(subject): \(rule.testDescription)" }

    static let all = MarkupContract.rules.flatMap { rule in
      MarkupBackend.allCases.map { Case(rule: rule, subject: $0.subject) }
    }
  }

  @Test("A reader of markup keeps the rule", arguments: Case.all)
  func keepsTheRule(_ contractCase: Case) throws {
    try contractCase.rule.check(contractCase.subject)
  }
}

enum MarkupBackend: String, CaseIterable {
  case direct = "gumbo in this process"
  case confined = "gumbo in a worker"

  private static let workers = ReadingWorkers(.markup())

  var reader: any MarkupReader {
    switch self {
    case .direct: DocumentReader(html: GumboParser(), xml: LibxmlParser())
    case .confined: SandboxedMarkupReader(workers: Self.workers)
    }
  }

  var subject: MarkupSubject { MarkupSubject(rawValue) { reader } }
}
