/// An upload of one image's pixels in pieces of 4,096 base64 digits (kitty, graphics protocol, "Remote
/// client"). Text may be written between two pieces, but no other graphics command.
struct KittyUpload {
  let number: Int
  let image: Image
  private let payload: [UInt8]
  private let keys: String
  private let isWrapped: Bool
  private var offset = 0

  /// The size of a piece in bytes before base64 encoding: 4,096 digits.
  private static let piece = 3072

  /// - Parameters:
  ///   - keys: The keys of the first piece, such as `a=t`.
  ///   - pixels: The pixels in the format of the image.
  ///   - compressed: Whether to compress the pixels.
  ///   - isWrapped: Whether to wrap the pieces for a multiplexer that passes them through.
  init(
    number: Int, image: Image, size: PixelSize, pixels: [UInt8], keys: String,
    compressed: Bool, isWrapped: Bool
  ) {
    self.number = number
    self.image = image
    self.isWrapped = isWrapped
    let format = "f=\(image.format == .rgb ? 24 : 32),s=\(size.width),v=\(size.height)"
    let base = "\(keys),i=\(number),t=d,\(format)"
    if compressed, let packed = Deflate.compress(pixels), packed.count < pixels.count {
      payload = packed
      self.keys = base + ",o=z"
    } else {
      payload = pixels
      self.keys = base
    }
  }

  /// Sends at least one piece, until all are sent or `budget` bytes are reached.
  /// - Returns: Whether the upload is complete.
  mutating func send(budget: Int, _ output: inout Output) -> Bool {
    let start = output.count
    repeat {
      let end = min(offset + Self.piece, payload.count)
      var piece = Output()
      piece.append("\u{1b}_G")
      if offset == 0 {
        piece.append(text: keys)
        piece.append(0x2c)
      }
      piece.append(isWrapped ? "q=2,m=" : "q=1,m=")
      piece.append(number: end < payload.count ? 1 : 0)
      piece.append(0x3b)
      Base64.encode(payload[offset..<end], &piece)
      piece.append("\u{1b}\\")
      KittyCommand.append(piece.bytes, isWrapped, &output)
      offset = end
    } while offset < payload.count && output.count - start < budget
    return offset >= payload.count
  }

  /// Cancels the upload; the terminal discards the received pieces.
  func cancel(_ output: inout Output) {
    var last = Output()
    last.append("\u{1b}_Gq=2,m=0;\u{1b}\\")
    KittyCommand.append(last.bytes, isWrapped, &output)
    KittyCommand.delete(number, isWrapped, &output)
  }
}

enum KittyCommand {
  static func append(_ command: [UInt8], _ isWrapped: Bool, _ output: inout Output) {
    if isWrapped {
      TmuxPassthrough.wrap(command, &output)
    } else {
      output.append(command)
    }
  }

  /// Deletes an image and its placements.
  static func delete(_ number: Int, _ isWrapped: Bool, _ output: inout Output) {
    append(Array("\u{1b}_Ga=d,d=I,i=\(number),q=2\u{1b}\\".utf8), isWrapped, &output)
  }
}
