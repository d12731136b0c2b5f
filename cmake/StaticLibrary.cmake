# add_localized_archive(target archive objects...)
#
# An archive keeps every external name of its members visible, so a private gp_create would collide with a
# user's function of that name. Here the objects are joined into one, names with hidden visibility are made
# local in it, and the archive holds that one member.
function(add_localized_archive target archive)
  set(objects ${ARGN})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE files)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.o)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_LINKER} -r -o ${joined} ${files}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${joined}
    DEPENDS ${objects} ${files}
    COMMENT "Joining all objects into ${archive}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${archive})
endfunction()
