import Models

/// The name of a record whose title is not unique.
struct RecordName: Sendable, Equatable {
  /// The title; for records of the same title and origin the name of the folder, which is unique.
  var title: String
  /// The location of the record's source.
  var origin: String

  /// Returns a name for each record whose title occurs more than once among the items.
  static func names(of items: [RecordItem]) -> [RecordID: RecordName] {
    var names: [RecordID: RecordName] = [:]
    for group in Dictionary(grouping: items, by: \.record.title).values where group.count > 1 {
      let origins = Dictionary(grouping: group, by: \.origin)
      for item in group {
        let isAlone = origins[item.origin]?.count == 1
        names[item.id] = RecordName(
          title: isAlone ? item.record.title : item.record.folder, origin: item.origin)
      }
    }
    return names
  }
}
