public import Archive
public import Markup
public import ProgressTree
public import Rendering
public import SystemCalls
public import Transport

/// The ports of an engine; each accepts any adapter.
public struct EnginePorts: Sendable {
  public var transport: any Transport
  /// An archive reader without limits: the engine wraps it in `GuardedArchiveReader`, with each record's
  /// limits.
  public var archive: any ArchiveReader
  public var markup: any MarkupReader
  public var renderer: any Renderer
  public var progress: any ProgressTracking
  public var clock: any MonotonicClock
  public var wallClock: any WallClock
  public var random: any RandomSource
  /// The largest number of transfers for which this process has file descriptors; caps every requested
  /// limit.
  public var transferCeiling = 1_024
  /// The call that waits until written files are on the disk; a test may pass another implementation.
  var sync = LibrarySync.syncFileSystem
  /// The errors of additions to the library's folder, by which a test plays a full disk; nil for none.
  var refusal: ConfinedFolder.Refusal?

  public init(
    transport: any Transport, archive: any ArchiveReader, markup: any MarkupReader,
    renderer: any Renderer, progress: any ProgressTracking,
    clock: any MonotonicClock = SystemClock(), wallClock: any WallClock = SystemClock(),
    random: any RandomSource = SystemRandomSource()
  ) {
    self.transport = transport
    self.archive = archive
    self.markup = markup
    self.renderer = renderer
    self.progress = progress
    self.clock = clock
    self.wallClock = wallClock
    self.random = random
  }
}
