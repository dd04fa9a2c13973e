import Models

extension ItemWindow<Resource> {
  /// The file was opened with its password: no screen requests it again, not even one that was covered
  /// and still has the row from before.
  mutating func unlock(_ id: ResourceID) {
    apply { if $0.id == id { $0.acceptPassword() } }
  }
}
