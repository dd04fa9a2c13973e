#pragma once
// libnghttp2 implements the frames, HPACK and the stream states of HTTP/2 (RFC 9113, RFC 7541).
#include <nghttp2/nghttp2.h>
