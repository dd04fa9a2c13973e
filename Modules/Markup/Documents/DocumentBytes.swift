import Glibc
import Markup
import SystemCalls

/// The bytes of a document in memory.
final class DocumentBytes {
  let bytes: UnsafeRawBufferPointer

  /// Reads a whole file.
  /// - Throws: `limit` for a file of more bytes than `limits` permits.
  init(_ file: OwnedDescriptor, limits: MarkupLimits) throws(MarkupError) {
    let size: Int64
    do throws(SystemError) {
      size = try file.status().size
    } catch {
      throw MarkupError(.io, "the document cannot be read (\(error.reason))")
    }
    guard size <= Int64(limits.bytes) else {
      throw MarkupError(
        .limit,
        "the document has \(size) bytes; at most \(limits.bytes) are supported for markup "
          + "(\(limits.originOfBytes))")
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 16)
    var count = 0
    do throws(SystemError) {
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let got = try file.read(into: rest, at: Int64(count))
        if got == 0 { break }
        count += got
      }
    } catch {
      buffer.deallocate()
      throw MarkupError(.io, "the document cannot be read (\(error.reason))")
    }
    // A file that is truncated meanwhile is read up to its new end.
    bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
    allocation = buffer
  }

  private let allocation: UnsafeMutableRawBufferPointer

  deinit { allocation.deallocate() }
}
