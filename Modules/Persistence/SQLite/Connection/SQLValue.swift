import CSQLite
package import Models

/// A value that can be bound to a parameter of a statement.
package protocol SQLValue {
  /// Binds the value to a parameter.
  /// - Parameter room: The memory for a copy of a text or blob.
  /// - Returns: The SQLite result code.
  func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32
}

extension Int64: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    sqlite3_bind_int(statement, index, self ? 1 : 0)
  }
}

extension Double: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    sqlite3_bind_double(statement, index, self)
  }
}

extension String: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    utf8.span.bytes.withUnsafeBytes { bytes in
      let (kept, count) = (room.copy(bytes), Int32(clamping: bytes.count))
      return if let kept {
        imgdl_bind_kept_text(statement, index, kept, count)
      } else {
        imgdl_bind_text(statement, index, bytes.baseAddress, count)
      }
    }
  }
}

extension Digest: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    withUnsafeBytes(
      of: (
        words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
      )
    ) { bindBlob($0, to: statement, at: index, in: &room) }
  }
}

/// A checksum is stored as its bytes, whose number tells the algorithm.
extension Checksum: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    bytes.withUnsafeBytes { bindBlob($0, to: statement, at: index, in: &room) }
  }
}

/// A request key is stored as a blob of 16 bytes, whose order is that of the keys.
extension RequestKey: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      bindBlob($0, to: statement, at: index, in: &room)
    }
  }
}

extension ThumbHash: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    bytes.withUnsafeBytes { bindBlob($0, to: statement, at: index, in: &room) }
  }
}

private func bindBlob(
  _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32,
  in room: inout BindingRoom
) -> Int32 {
  let (kept, count) = (room.copy(bytes), Int32(clamping: bytes.count))
  return if let kept {
    imgdl_bind_kept_blob(statement, index, kept, count)
  } else {
    imgdl_bind_blob(statement, index, bytes.baseAddress, count)
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  package func bind(
    to statement: OpaquePointer, at index: Int32, in room: inout BindingRoom
  ) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index, in: &room)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}
