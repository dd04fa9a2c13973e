import CNGHTTP2

/// The C functions through which libnghttp2 reports received frames to an `HTTP2Session`.
enum HTTP2Callbacks {
  static func set(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, owner in
      guard let header, let session = session(owner) else { return 0 }
      return session.frameBegan(header.pointee) ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
    }
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, owner in
      guard let frame else { return 0 }
      session(owner)?.fieldsBegan(frame.pointee.hd.stream_id)
      return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameLength, value, valueLength, _, owner in
      guard let frame, let session = session(owner) else { return 0 }
      let isTaken = session.field(
        frame.pointee.hd.stream_id, UnsafeRawBufferPointer(start: name, count: nameLength),
        UnsafeRawBufferPointer(start: value, count: valueLength))
      return isTaken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, owner in
      if let frame { session(owner)?.frame(frame.pointee) }
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, stream, bytes, count, owner in
      session(owner)?.data(stream, UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
      _, frame, code, owner in
      if let frame { session(owner)?.invalid(frame.pointee.hd.stream_id, error: code) }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, owner in
      session(owner)?.closed(stream, error: code)
      return 0
    }
  }
}

private func session(_ owner: UnsafeMutableRawPointer?) -> HTTP2Session? {
  owner.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
}
