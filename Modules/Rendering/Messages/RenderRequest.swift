public import Models
public import Rendering
public import SystemCalls
public import WorkerProcess

/// A request to a worker. The file is passed as a descriptor, so the worker does not learn its path.
public struct RenderRequest: Sendable, Equatable {
  public enum Operation: Sendable, Equatable {
    case probe
    case render(page: Int, sides: [Int], quality: Int)
    case sample(SampleOptions)
    /// The file contains a row of tiles.
    case tiles(TileRow)
  }

  public var operation: Operation
  public var limits: RenderLimits
  /// The password of an encrypted document.
  public var password: DocumentPassword?

  public init(operation: Operation, limits: RenderLimits, password: DocumentPassword? = nil) {
    self.operation = operation
    self.limits = limits
    self.password = password
  }

  static let frameKind: UInt8 = 1
  private static let probeCode: UInt8 = 0
  private static let renderCode: UInt8 = 1
  private static let sampleCode: UInt8 = 2
  private static let tilesCode: UInt8 = 3

  /// Encodes the request with `file`, a descriptor open for reading.
  public func frame(_ file: OwnedDescriptor) -> Frame {
    Frame(kind: Self.frameKind, descriptors: [file]) { writer in
      writer.append(list: limits.list) { $0.append(Int64($1)) }
      writer.append(optional: password?.text) { $0.append($1) }
      switch operation {
      case .probe:
        writer.append(Self.probeCode)
      case .render(let page, let sides, let quality):
        writer.append(Self.renderCode)
        writer.append(Int64(page))
        writer.append(list: sides) { $0.append(Int64($1)) }
        writer.append(Int64(quality))
      case .sample(let options):
        writer.append(Self.sampleCode)
        writer.append(options)
      case .tiles(let row):
        writer.append(Self.tilesCode)
        writer.append(row)
      }
    }
  }

  public init(_ frame: Frame) throws(WorkerError) {
    guard frame.kind == Self.frameKind else {
      throw WorkerError(.malformed, "a message of the unknown kind \(frame.kind)")
    }
    var reader = FrameReader(frame)
    let numbers = try reader.list { (reader) throws(WorkerError) in try reader.int() }
    guard let limits = RenderLimits(numbers) else {
      throw WorkerError(.malformed, "limits of another kind")
    }
    self.limits = limits
    let text = try reader.optional { (reader) throws(WorkerError) in try reader.string() }
    password = text.flatMap { DocumentPassword($0) }
    switch try reader.integer(UInt8.self) {
    case Self.probeCode:
      operation = .probe
    case Self.renderCode:
      let page = try reader.int()
      let sides = try reader.list { (reader) throws(WorkerError) in try reader.int() }
      operation = .render(page: page, sides: sides, quality: try reader.int())
    case Self.sampleCode: operation = .sample(try reader.sampleOptions())
    case Self.tilesCode: operation = .tiles(try reader.tileRow())
    default:
      throw WorkerError(.malformed, "a request of an unknown kind")
    }
    try reader.checkComplete()
  }
}

extension FrameReader {
  mutating func int() throws(WorkerError) -> Int {
    guard let value = Int(exactly: try integer(Int64.self)) else {
      throw WorkerError(.malformed, "a number that is too large")
    }
    return value
  }
}
