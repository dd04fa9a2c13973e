extension [UInt8] {
  /// Creates an array with uninitialized contents, which a codec fills.
  init(uninitialised count: Int) {
    self.init(unsafeUninitializedCapacity: count) { _, initialised in initialised = count }
  }
}
