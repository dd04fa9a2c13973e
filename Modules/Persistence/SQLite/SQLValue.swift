import CSQLite
package import Models

/// What can stand for a parameter of a statement.
package protocol SQLValue {
  /// - Returns: the result code of SQLite.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension Int: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension Bool: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int(statement, index, self ? 1 : 0)
  }
}

extension Double: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_double(statement, index, self)
  }
}

extension String: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        imgdl_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }
}

extension Digest: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes(
      of: (
        words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
      )
    ) {
      imgdl_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
    }
  }
}

/// 16 bytes that sort as the keys do.
extension RequestKey: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      imgdl_bind_blob(statement, index, $0.baseAddress, Int32($0.count))
    }
  }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .some(let value): value.bind(to: statement, at: index)
    case .none: sqlite3_bind_null(statement, index)
    }
  }
}
