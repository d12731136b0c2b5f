# The flags of every target of this tree, as the interface target locbo_flags.
#
# No -ffast-math: the library relies on NaN, infinities and the order of operations. No -march=native: a
# package built on one machine must run on another. -fno-math-errno lets sqrt be one instruction; nothing
# here reads errno after a libm call.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(locbo_flags INTERFACE)
target_compile_options(locbo_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                             -Wno-sign-conversion -fno-math-errno
                                             $<$<C_COMPILER_ID:Clang>:-Wno-string-concatenation>) # lists of long texts
if(LOCBO_WERROR)
  target_compile_options(locbo_flags INTERFACE -Werror)
endif()

if(LOCBO_SANITIZE)
  add_compile_options(-fsanitize=${LOCBO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # instrumented code confuses the flow analysis behind gcc's warning, and clang does not vectorise it (omp simd)
  target_compile_options(locbo_flags INTERFACE $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                                               $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>)
  add_link_options(-fsanitize=${LOCBO_SANITIZE})
endif()

if(LOCBO_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
