#pragma once
// Look-ups of names without a thread for each. What ares.h takes from the system's headers stays
// the Glibc module's: which module Swift finds a declaration in must not hang on who is read first.
#pragma clang module import SwiftGlibc
#include <ares.h>
