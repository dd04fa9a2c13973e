import CLinux
import Glibc

/// The metadata of a file from `stat`.
public struct FileStatus: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case file, folder, link, socket, pipe, device, unknown
  }

  public let kind: Kind
  /// The size in bytes.
  public let size: Int64
  /// The modification time in nanoseconds since 1970.
  public let modified: Int64
  /// The time of the last change of the content or the metadata in nanoseconds since 1970, which no program can set.
  public let changed: Int64
  public let inode: UInt64
  public let device: UInt64
  /// The number of hard links.
  public let linkCount: UInt64
  /// The number of bytes allocated on the disk, to which the holes of a sparse file do not count.
  public let allocated: Int64
  public let mode: UInt32
  public let owner: UInt32

  init(_ value: stat) {
    kind = Kind(mode: value.st_mode)
    size = Int64(value.st_size)
    modified = Int64(value.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(value.st_mtim.tv_nsec)
    changed = Int64(value.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(value.st_ctim.tv_nsec)
    inode = UInt64(value.st_ino)
    device = UInt64(value.st_dev)
    linkCount = UInt64(value.st_nlink)
    allocated = Int64(value.st_blocks) &* 512
    mode = value.st_mode & 0o7777
    owner = value.st_uid
  }
}

extension FileStatus.Kind {
  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      case S_IFCHR, S_IFBLK: .device
      default: .unknown
      }
  }

  init(directoryType type: UInt8) {
    self =
      switch Int(type) {
      case Int(DT_REG): .file
      case Int(DT_DIR): .folder
      case Int(DT_LNK): .link
      case Int(DT_SOCK): .socket
      case Int(DT_FIFO): .pipe
      case Int(DT_CHR), Int(DT_BLK): .device
      default: .unknown
      }
  }
}
