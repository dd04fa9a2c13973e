import HTTP1
import JSON
import Models

/// Requests of a hostile client, read by the server's own reader, whole and cut into pieces. The result does not
/// depend on the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = outcome(of: [input])
  let step = 1 + Int(input.first ?? 0) % 13
  let pieces = stride(from: 0, to: input.count, by: step).map {
    Array(input[$0..<min(input.count, $0 + step)])
  }
  precondition(outcome(of: pieces) == whole, "cut in another way, another request")
  return 0
}

/// The result of the server's reader: requests one after another, and how the connection ends.
private func outcome(of pieces: [[UInt8]]) -> [String] {
  var reading = RequestReading()
  var request: ControlRequest?
  var said: [String] = []
  for piece in pieces {
    reading.receive(piece)
    var needsMore = false
    while !needsMore {
      do throws(ControlError) {
        switch try reading.next() {
        case .needsInput: needsMore = true
        case .head(let head): request = head
        case .body(let part): request?.body += part
        case .end:
          precondition(request != nil, "an end without a head")
          if let request { said.append(describe(request)) }
        }
      } catch {
        precondition((400...599).contains(error.status))
        return said + ["refused \(error.code)"]
      }
    }
  }
  return said
}

private func describe(_ request: ControlRequest) -> String {
  for segment in request.target.segments {
    precondition(!segment.isEmpty && segment != "." && segment != "..")
    precondition(!segment.utf8.contains(0))
  }
  let json = try? JSONText.decode(JSONValue.self, from: request.body)
  if let json { precondition((try? JSONText.encode(json)) != nil) }
  return "\(request.method) \(request.target) \(request.fields) \(request.body) "
    + "\(request.keepsConnection) \(json == nil)"
}
