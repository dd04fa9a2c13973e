#pragma once
#include <seccomp.h>

// A macro with an argument, which Swift does not import.
static inline uint32_t imgdl_refuse(uint16_t error) { return SCMP_ACT_ERRNO(error); }
