extension State {
  /// The rows of screen 1.
  var recordEntries: some ItemSource<RecordEntry> {
    MappedSource(base: records.window) { item in
      var entry = RecordEntry(item, in: library)
      if let name = records.names[item.id] {
        (entry.title, entry.origin) = (name.title, name.origin)
      }
      return entry
    }
  }
}
