import CSQLite
import Glibc
package import Persistence
import SystemCalls

extension StoreError {
  /// Converts the failure of an SQLite call.
  /// - Parameters:
  ///   - result: The extended result code of SQLite.
  ///   - systemError: The underlying `errno`, or 0.
  ///   - message: SQLite's error message.
  package init(path: String, result: Int32, systemError: Int32, message: String) {
    let code = Code(result: result, systemError: systemError)
    let cause =
      switch code {
      case .diskFull: "the disk is full"
      case .readOnly: "cannot be written: read-only, or no permission"
      case .busy: "locked by another process"
      case .damaged: "damaged: \(message)"
      // If SQLite cannot open its log for writing, it tries again for reading and reports the error of that
      // second attempt: ENOENT for a log that it could not create.
      case .io where result & 0xff == SQLITE_CANTOPEN && systemError == ENOENT:
        "\(message): its log cannot be created: input/output error, or no permission"
      case .io where systemError != 0: "\(message): \(String(cString: strerror(systemError)))"
      default: message
      }
    self.init(code, "\(path): \(cause)")
  }
}

extension StoreError {
  init(_ error: SystemError) {
    self.init(
      Code(result: SQLITE_IOERR, systemError: error.errno), error.description)
  }
}

extension StoreError.Code {
  /// `SQLITE_READONLY_DBMOVED`, a macro that Swift does not import: the database file was moved or deleted.
  private static let databaseMoved = SQLITE_READONLY | (4 << 8)

  /// Classifies an SQLite result code; unknown codes have a class, too.
  package init(result: Int32, systemError: Int32) {
    switch result & 0xff {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_READONLY: self = result == Self.databaseMoved ? .io : .readOnly
    case SQLITE_PERM, SQLITE_AUTH: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch systemError {
      case ENOSPC, EDQUOT: self = .diskFull
      case EROFS, EACCES, EPERM: self = .readOnly
      default: self = .io
      }
    default: self = .internal
    }
  }
}
