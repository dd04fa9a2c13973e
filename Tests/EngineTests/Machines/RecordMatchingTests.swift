import Models
import Testing

@testable import Engine

/// A list that is read again belongs to the record that has its entries, or its title and place.
@Suite("The records of lists that are read again")
struct RecordMatchingTests {
  private static func record(_ id: Int64, _ title: String) -> Record {
    Record(
      id: RecordID(id), source: SourceID(1), title: title, folder: "\(id)")
  }

  /// Matches lists, from the last to the first, as a refresh does.
  /// - Parameter common: The records with entries of a list, by the place of the list.
  private static func match(
    _ titles: [String], records: [Record], isOneList: Bool = false, common: [Int: [Int64]] = [:]
  ) -> [Int64?] {
    var matching = RecordMatching(records, lists: titles, isOneList: isOneList)
    var found = [Int64?](repeating: nil, count: titles.count)
    for place in titles.indices.reversed() {
      found[place] =
        matching.record(for: titles[place], entryCount: 2) {
          common[place]?.contains($0.id.rawValue) == true ? 1 : 0
        }?.id.rawValue
    }
    return found
  }

  @Test("Lists with titles of their own have the records of these titles")
  func titles() {
    let records = [Self.record(1, "a"), Self.record(2, "b")]
    #expect(Self.match(["a", "b"], records: records) == [1, 2])
    #expect(Self.match(["b", "c", "a"], records: records) == [2, nil, 1])
  }

  @Test("Lists with one title have the records of their places, if the numbers are equal")
  func places() {
    let records = [Self.record(1, "a"), Self.record(2, "a")]
    #expect(Self.match(["a", "a"], records: records) == [1, 2])
  }

  @Test("A new list between two with its title takes the record of neither")
  func newSibling() {
    let records = [Self.record(1, "a"), Self.record(2, "a")]
    #expect(
      Self.match(["a", "a", "a"], records: records, common: [0: [1], 2: [2]]) == [1, nil, 2])
  }

  @Test("A list that disappeared leaves the others their records")
  func lostSibling() {
    let records = [Self.record(1, "a"), Self.record(2, "a"), Self.record(3, "a")]
    #expect(Self.match(["a", "a"], records: records, common: [0: [1], 1: [3]]) == [1, 3])
    #expect(Self.match(["a"], records: records, common: [0: [2]]) == [2])
  }

  @Test("The only list of a document keeps its record when its title changes; a folder does not")
  func changedTitle() {
    let records = [Self.record(1, "2023")]
    #expect(Self.match(["2024"], records: records, isOneList: true) == [1])
    #expect(Self.match(["2024"], records: records) == [nil])
  }

  @Test(
    "A list with an unknown title has the record with its entries, if that has no list of its own")
  func changedLabels() {
    let records = [Self.record(1, "a"), Self.record(2, "b"), Self.record(3, "c")]
    #expect(Self.match(["a", "new", "c"], records: records, common: [1: [2]]) == [1, 2, 3])
    #expect(
      Self.match(["a", "new", "b", "c"], records: records, common: [1: [2]]) == [1, nil, 2, 3])
    #expect(
      Self.match(["x", "y", "z"], records: records, common: [0: [1], 1: [2], 2: [3]]) == [1, 2, 3])
    #expect(Self.match(["x", "y"], records: records, common: [:]) == [nil, nil])
  }

  @Test("Lists with a few common entries, such as a logo, are different lists")
  func commonLogo() {
    var record = Self.record(1, "a")
    record.counts.finished = 10
    var matching = RecordMatching([record], lists: ["b", "c"], isOneList: false)
    let logo = matching.record(for: "c", entryCount: 20) { _ in 1 }
    #expect(logo == nil)
    let renamed = matching.record(for: "b", entryCount: 20) { _ in 5 }
    #expect(renamed == record)
  }
}
