import Models

/// How a record is called where its title does not tell it from another one.
struct RecordName: Sendable, Equatable {
  /// The title; of records of one title and one place the folder, which no two share.
  var title: String
  /// Where its source is.
  var origin: String

  /// - Returns: a name for each record whose title repeats among these.
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
