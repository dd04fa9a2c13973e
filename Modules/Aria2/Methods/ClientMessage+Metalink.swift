import JSON

extension ClientMessage {
  /// Returns the documents that the message's calls pass, each once, at most ``MetalinkDocument/limit``. A
  /// document behind a call without the secret is left out, so that nothing is read for a stranger.
  public func metalinkDocuments(for authority: RPCAuthority) -> [MetalinkDocument] {
    guard case .success(let message) = content else { return [] }
    let calls = message.calls
    guard calls.contains(where: { $0.method == Method.addMetalink }) else { return [] }
    var documents: [MetalinkDocument] = []
    var known: Set<String> = []
    for call in calls {
      let (token, parameters) = CallDispatch.splitToken(call.parameters)
      if Method.named(call.method)?.isOpen != true {
        // The dispatch refuses this call and all further ones.
        guard authority.isGranted || token.map(authority.isSecret) ?? false else { break }
      }
      guard call.method == Method.addMetalink, let text = parameters.first?.text,
        known.insert(text).inserted, let document = MetalinkDocument(text)
      else { continue }
      documents.append(document)
      guard documents.count < MetalinkDocument.limit else { break }
    }
    return documents
  }
}

extension RPCMessage {
  /// The calls in their order, with those in multicalls. Calls that the dispatch refuses without a look at
  /// their tokens are left out.
  fileprivate var calls: [(method: String, parameters: [JSONValue])] {
    let requests =
      switch self {
      case .single(let request): [request]
      case .batch(let requests): requests
      }
    var calls: [(method: String, parameters: [JSONValue])] = []
    for request in requests where calls.count < Self.countLimit {
      guard let call = try? RPCCall(request) else { continue }
      guard call.method == Method.multicall else {
        calls.append((call.method, call.parameters))
        continue
      }
      let inner = CallDispatch.splitToken(call.parameters).rest.first?.array ?? []
      guard inner.count <= Self.countLimit else { continue }
      for call in inner where calls.count < Self.countLimit {
        guard let name = call["methodName"]?.text, name != Method.multicall else { continue }
        switch call["params"] {
        case nil: calls.append((name, []))
        case .array(let parameters)?: calls.append((name, parameters))
        case .some: continue
        }
      }
    }
    return calls
  }
}
