# add_folder(name library...)
#
# The static library locbo_<name> of all src/<name>/*.c but main.c. Each of them sees src/base and the headers of the
# libraries given, which are those of other folders or from outside.
function(add_folder name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  add_library(locbo_${name} STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(locbo_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src/base)
  target_compile_definitions(locbo_${name} PRIVATE _GNU_SOURCE)
  target_link_libraries(locbo_${name} PUBLIC ${ARGN} m PRIVATE locbo_flags)
endfunction()
