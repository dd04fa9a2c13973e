import Models

extension ItemWindow<Resource> {
  /// Marks a resource as unlocked after its password was accepted. A screen that is covered and still holds
  /// the old row therefore does not ask for the password again.
  mutating func unlock(_ id: ResourceID) {
    apply { if $0.id == id { $0.acceptPassword() } }
  }
}
