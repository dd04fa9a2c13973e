#pragma once
// Frames, HPACK and the states of streams (RFC 9113, RFC 7541).
#include <nghttp2/nghttp2.h>
