import FoundationEssentials
import JSON

/// Encodes and decodes messages as JSON (RFC 8259). Decoding ignores unknown fields, so that client and
/// server may have different versions, and names the field if a value has the wrong type.
enum JSONText {
  static func encode(_ message: some Encodable) throws(ControlError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(message))
    } catch {
      throw ControlError(.badBody, "a message cannot be written as JSON")
    }
  }

  static func decode<Message: Decodable>(
    _ type: Message.Type = Message.self, from bytes: [UInt8]
  ) throws(ControlError) -> Message {
    guard !bytes.isEmpty else { throw ControlError(.badBody, "the request has no body") }
    try check(bytes)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw ControlError(.badBody, describe(error))
    } catch let error as ControlError {
      throw error
    } catch {
      throw ControlError(.badBody, "the body is not JSON")
    }
  }

  /// Refuses what two parsers could read differently, and what is too deep for one that recurses.
  static func check(_ bytes: [UInt8]) throws(ControlError) {
    var parser = JSONParser(.strict)
    var index = 0
    do throws(JSONError) {
      while try parser.next(bytes.span.bytes, &index) != nil {}
      while try parser.finish() != nil {}
    } catch {
      let place = "\(error.summary) (byte \(error.position.offset))"
      switch error.cause {
      case .notUTF8: throw ControlError(.badBody, "the body is not UTF-8")
      case .tooDeep:
        throw ControlError(
          .badBody, "the body is nested more than \(JSONPolicy.strict.depth) deep")
      case .repeatedName: throw ControlError(.badBody, place)
      default: throw ControlError(.badBody, "the body is not JSON: " + place)
      }
    }
  }

  private static func describe(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      "\(pathText(context.codingPath)) is not \(expectation(type))"
    case .keyNotFound(let key, let context):
      "\(pathText(context.codingPath + [key])) is missing"
    case .dataCorrupted(let context) where context.codingPath.isEmpty: "the body is not JSON"
    case .dataCorrupted(let context): "\(pathText(context.codingPath)) is out of range"
    @unknown default: "the body has an unexpected form"
    }
  }

  private static func pathText(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the body" }
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : "." + key.stringValue
      }
    }
    return "\"\(text)\""
  }

  private static func expectation(_ type: Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}

/// An integer from a client. Decoding a plain `Int` that is out of range would lose the name of the field.
struct WholeNumber: Codable, Equatable {
  let value: Int

  init(_ value: Int) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      value = try container.decode(Int.self)
    } catch let error as DecodingError {
      throw error
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "does not fit")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// Returns 0 for infinity and NaN, which JSON cannot represent.
func finite(_ number: Double) -> Double { number.isFinite ? number : 0 }
