import Foundation
import Models
import RequestSigning

/// Signs for comparisons with other implementations: reads requests as lines of JSON on standard input, and
/// prints for each the fields that sign it.
struct Request: Decodable {
  let url: String
  let fields: [String: String]
  let accessKeyID: String
  let secretAccessKey: String
  let sessionToken: String?
  let region: String
  let time: Int64
}

while let line = readLine() {
  let input = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
  guard
    let credentials = SigningCredentials(
      accessKeyID: input.accessKeyID, secretAccessKey: input.secretAccessKey,
      sessionToken: input.sessionToken)
  else { throw CocoaError(.coderInvalidValue) }
  let given = HTTPFields(input.fields.map { HTTPFields.Field(name: $0.key, value: $0.value) })
  let fields = RequestSignature(credentials, region: input.region)
    .fields(for: try HTTPURL(input.url), given, at: input.time)
  let pairs = fields?.fields.map { ($0.name.lowercased(), $0.value) } ?? []
  print(
    String(
      decoding: try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: pairs)), as: UTF8.self))
  fflush(nil)
}
