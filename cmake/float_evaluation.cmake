# float_evaluation.cmake - the flags with which each float operation rounds to its own type
# SPDX-License-Identifier: Apache-2.0
#
# Where FLT_EVAL_METHOD is not 0, float expressions are computed in a wider type and rounded later, twice: other
# bits than on other machines.  Two targets are so unless told otherwise: 32-bit x86, whose older unit computes
# in 80 bits, and gcc on s390x, which by -std=c11 takes float_t, a double there, at its word.
include(CheckCSourceCompiles)
set(BL_FLOAT_FLAGS "")
foreach(flags "" "-msse2;-mfpmath=sse" "-fexcess-precision=fast")
  string(MAKE_C_IDENTIFIER "BL_FLOATS_ROUND_${flags}" result)
  list(JOIN flags " " CMAKE_REQUIRED_FLAGS)
  string(APPEND CMAKE_REQUIRED_FLAGS " -std=c11")
  check_c_source_compiles("#include <float.h>
    _Static_assert(FLT_EVAL_METHOD == 0, \"\");
    int main(void) { return 0; }" ${result})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${result})
    set(BL_FLOAT_FLAGS ${flags})
    return()
  endif()
endforeach()
message(FATAL_ERROR "FLT_EVAL_METHOD is not 0: this compiler computes floats in a wider type, "
  "so results would have other bits than elsewhere; CMAKE_C_FLAGS may hold what turns that off")
