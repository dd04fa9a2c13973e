/// Makes a zip archive of one fetched entry, so that the confined archive readers decompress and check it as
/// they do any downloaded archive.
package enum SingleEntryArchive {
  /// Returns the directory and the end record to append to the local header and the data of the entry.
  /// - Parameter dataEnd: The number of bytes before the result. It and both sizes fit in 32 bits.
  package static func trailer(_ entry: RemoteEntry, dataEnd: Int64) -> [UInt8] {
    var bytes: [UInt8] = [0x50, 0x4b, 1, 2]
    // The entry is described as made by MS-DOS, without attributes, which is a regular file.
    bytes.append(20, bytes: 2)
    bytes.append(20, bytes: 2)
    bytes += entry.fixedFields
    bytes.append(entry.compressedSize, bytes: 4)
    bytes.append(entry.uncompressedSize, bytes: 4)
    bytes.append(Int64(entry.rawName.count), bytes: 2)
    // No extra fields, comment, disk number, attributes or offset.
    bytes.append(0, bytes: 16)
    bytes += entry.rawName
    let directoryBytes = Int64(bytes.count)
    bytes += [0x50, 0x4b, 5, 6]
    bytes.append(0, bytes: 4)
    bytes.append(1, bytes: 2)
    bytes.append(1, bytes: 2)
    bytes.append(directoryBytes, bytes: 4)
    bytes.append(dataEnd, bytes: 4)
    bytes.append(0, bytes: 2)
    return bytes
  }
}

extension [UInt8] {
  /// Appends the low bytes of a number, the lowest first; zeros beyond eight bytes.
  fileprivate mutating func append(_ number: Int64, bytes count: Int) {
    for index in 0..<count {
      append(index < 8 ? UInt8(truncatingIfNeeded: number >> (8 * Int64(index))) : 0)
    }
  }
}
