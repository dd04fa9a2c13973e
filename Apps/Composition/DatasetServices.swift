public import Models
public import Rendering
import SystemCalls
public import Transport
import Wiring

/// The services of a worker that makes shards of datasets, which has no library.
public struct DatasetServices: Sendable {
  public let transport: any Transport
  public let renderer: any Renderer
  /// The number of images that the renderer works on at a time.
  public let rendererWidth: Int
  /// The maximum number of simultaneous transfers for which there are enough file descriptors.
  public let maximumTransfers: Int

  /// The maximum value of the setting for all connections that a worker uses.
  private static let connections = 1_024

  /// - Throws: `WiringError` if a setting names an unknown adapter, `LibraryError` if the system grants too few
  ///   threads or file descriptors.
  public init(_ settings: Settings) async throws {
    var settings = settings
    settings.network.connections = max(settings.network.connections, Self.connections)
    let resources = try await ProcessResources.prepare(for: settings)
    try await Adapters.checkDecoder(settings)
    var container = try Adapters.container(
      settings, spoolFolder: Machine.environment("TMPDIR") ?? "/tmp", changing: { _ in })
    transport = try container.resolve(.transport)
    renderer = try container.resolve(.renderer)
    rendererWidth =
      settings.rendering.workers > 0
      ? settings.rendering.workers : min(4, Machine.processorCount)
    maximumTransfers = resources.transfers
  }

  public func shutDown() async {
    await transport.shutdown()
    await renderer.shutdown()
  }
}
