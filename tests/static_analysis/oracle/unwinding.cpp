// Linked into the C++ library: lets code from the JIT compiler throw through it.
//
// The unwinder inside that library keeps its symbols to itself.
#include <cstdint>

extern "C" {
void __unw_add_dynamic_eh_frame_section(uintptr_t start);
[[noreturn]] void _Unwind_Resume(void *exception);

void cxx_register_frames(uintptr_t start) { __unw_add_dynamic_eh_frame_section(start); }
[[noreturn]] void cxx_unwind_resume(void *exception) { _Unwind_Resume(exception); }
}
