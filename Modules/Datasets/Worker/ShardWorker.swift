public import Datasets
public import Models
public import Rendering
public import SystemCalls
public import Transport

/// Makes the shards of a dataset, one after another, as a driver requests them on the standard input.
public struct ShardWorker: Sendable {
  /// The services of a worker.
  public struct Services: Sendable {
    public let transport: any Transport
    public let renderer: any Renderer
    /// The number of images that the renderer works on at a time.
    public let rendererWidth: Int
    /// The maximum number of simultaneous transfers for which there are enough file descriptors.
    public let maximumTransfers: Int
    /// When a failed transfer is repeated; a shard states how often.
    public let retries: RetryPolicy
    /// The clock of the deadlines and waits.
    public let clock: any MonotonicClock

    public init(
      transport: any Transport, renderer: any Renderer, rendererWidth: Int, maximumTransfers: Int,
      retries: RetryPolicy, clock: any MonotonicClock = SystemClock()
    ) {
      self.transport = transport
      self.renderer = renderer
      self.rendererWidth = rendererWidth
      self.maximumTransfers = maximumTransfers
      self.retries = retries
      self.clock = clock
    }
  }

  private let services: Services

  public init(_ services: Services) { self.services = services }

  /// Serves shards until the input ends. Blocks the thread.
  /// - Throws: `ShardError`; the tar file of the current shard is then incomplete.
  public func serve(input: OwnedDescriptor, output: OwnedDescriptor) throws(ShardError) {
    let reader = LineReader(input)
    while let line = try reader.next() {
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      let shard: ShardDescription
      do throws(ShardError) {
        shard = try ShardDescription(line: line)
      } catch {
        throw error.inLine(reader.lineCount)
      }
      let run: ShardRun
      do throws(ShardError) {
        run = try ShardRun(shard, services, reader, output: output)
      } catch {
        try? output.write(all: ShardTotals.line(shard, failed: error).span.bytes)
        throw error
      }
      try run.complete()
    }
  }
}
