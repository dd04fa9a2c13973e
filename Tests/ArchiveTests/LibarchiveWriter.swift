import CLibarchive
import Testing

/// Writes an archive of regular files by libarchive itself.
/// - Parameter prepare: Sets the format and its options, and returns the status of the last call.
func writeByLibarchive(
  _ path: String, _ entries: [(String, [UInt8])], _ prepare: (OpaquePointer) -> CInt
) throws {
  let archive = try #require(archive_write_new())
  defer { archive_write_free(archive) }
  #expect(prepare(archive) == ARCHIVE_OK)
  #expect(archive_write_open_filename(archive, path) == ARCHIVE_OK)
  for (name, data) in entries {
    let entry = try #require(archive_entry_new())
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, Int64(data.count))
    archive_entry_set_filetype(entry, imgdl_file_type_regular())
    archive_entry_set_perm(entry, 0o644)
    #expect(archive_write_header(archive, entry) == ARCHIVE_OK)
    #expect(archive_write_data(archive, data, data.count) == data.count)
  }
  #expect(archive_write_close(archive) == ARCHIVE_OK)
}
