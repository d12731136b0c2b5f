# add_localized_archive(target objects archive)
#
# An archive keeps every external name of its members visible, so a private gp_create would collide with a
# user's function of that name. Here the objects are joined into one, names with hidden visibility are made
# local in it, and the archive holds that one member.
function(add_localized_archive target objects archive)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.o)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_LINKER} -r -o ${joined} $<TARGET_OBJECTS:${objects}>
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${joined}
    DEPENDS ${objects} $<TARGET_OBJECTS:${objects}>
    COMMENT "Joining ${objects} into ${archive}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${archive})
endfunction()
