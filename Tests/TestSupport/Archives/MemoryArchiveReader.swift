public import Archive
public import Models

/// An archive reader without archives: each path is a list of entries. For tests of what stands
/// above the port.
public struct MemoryArchiveReader: ArchiveReader {
  public struct Entry: Sendable {
    public var name: String
    public var kind: ArchiveEntry.Kind
    public var data: [UInt8]
    /// Handed over after the data, in place of the end.
    public var fault: ArchiveError?
    /// If another than the data's.
    public var declaredSize: Int64?
    public var linkTarget: String?

    public init(
      _ name: String, _ data: [UInt8] = [], kind: ArchiveEntry.Kind = .file,
      fault: ArchiveError? = nil, declaredSize: Int64? = nil, linkTarget: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.data = data
      self.fault = fault
      self.declaredSize = declaredSize
      self.linkTarget = linkTarget
    }
  }

  public var archives: [String: [Entry]]
  /// How much `receive` gets at a time.
  public var blockSize = 64 << 10

  public init(_ archives: [String: [Entry]] = [:]) { self.archives = archives }

  public var formats: Set<ResourceFormat> { [.zip] }

  public func walk(
    _ path: String, password: DocumentPassword?, visitor: any ArchiveVisitor
  ) throws(ArchiveError) {
    guard let entries = archives[path] else {
      throw ArchiveError(.io, "cannot be read: No such file or directory")
    }
    for (index, entry) in entries.enumerated() {
      let described = ArchiveEntry(
        index: index, name: entry.name, kind: entry.kind,
        isEncrypted: entry.fault?.code == .encrypted,
        uncompressedSize: entry.declaredSize ?? Int64(entry.data.count),
        linkTarget: entry.linkTarget)
      switch try visitor.visit(described) {
      case .stop: return
      case .skip: continue
      case .read: try send(entry, to: visitor)
      }
    }
  }

  private func send(_ entry: Entry, to visitor: any ArchiveVisitor) throws(ArchiveError) {
    var rest = entry.data[...]
    while !rest.isEmpty {
      let block = Array(rest.prefix(blockSize))
      try visitor.receive(block.span.bytes)
      rest = rest.dropFirst(blockSize)
    }
    if let fault = entry.fault {
      try visitor.failEntry(fault)
    } else {
      try visitor.endEntry()
    }
  }
}
