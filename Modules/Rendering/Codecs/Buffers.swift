extension [UInt8] {
  /// Bytes that a codec is about to fill.
  init(uninitialised count: Int) {
    self.init(unsafeUninitializedCapacity: count) { _, initialised in initialised = count }
  }
}
