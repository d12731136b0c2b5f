# What `make install` puts where: headers, libraries, the program and its completions, pkg-config files, CMake package,
# manual, documents, examples.
include(CMakePackageConfigHelpers)

# The libraries behind a static link, in one line for locbo.pc and for the CMake package. They stand in
# Libs.private and not in Requires.private, because the latter would make users of the shared library install
# the development packages of all four; and openblas.pc's own private list names gfortran, which only a static
# BLAS needs. "Static" means liblocbo.a with these as shared libraries: Debian has no libnlopt.a and no libcerf.a.
list(JOIN OPENBLAS_LDFLAGS " " openblas_flags)
foreach(directory ${LOCBO_RPATH})
  string(APPEND openblas_flags " -Wl,-rpath,${directory}")
endforeach()
string(STRIP "${openblas_flags} -lnlopt -lcerf -ljansson ${CMAKE_THREAD_LIBS_INIT} -lm" LOCBO_LIBS_PRIVATE)

configure_file(cmake/locbo.pc.in locbo.pc @ONLY)
configure_package_config_file(cmake/locboConfig.cmake.in locboConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(locboConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS locbo EXPORT locboTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_BINARY_DIR}/liblocbo.a DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/locbo/locbo.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/locbo)
install(FILES ${PROJECT_BINARY_DIR}/locbo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(LOCBO_BUILD_PROGRAM)
  configure_file(cmake/locbo-study.pc.in locbo-study.pc @ONLY)
  # the program finds its libraries wherever the whole is moved to
  file(RELATIVE_PATH to_libdir ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(locbo_program PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libdir}")
  install(TARGETS locbo_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS locbo_study EXPORT locboStudyTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT locboStudyTargets NAMESPACE locbo:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo)
  install(FILES include/locbo/study.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/locbo)
  install(FILES ${PROJECT_BINARY_DIR}/locbo-study.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(FILES src/cli/completion/bash RENAME locbo DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES src/cli/completion/zsh RENAME _locbo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES src/cli/completion/fish RENAME locbo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(EXPORT locboTargets NAMESPACE locbo:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo)
install(FILES ${PROJECT_BINARY_DIR}/locboConfig.cmake ${PROJECT_BINARY_DIR}/locboConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo)

file(GLOB manual CONFIGURE_DEPENDS docs/man/*.[1-9])
if(NOT LOCBO_BUILD_PROGRAM)
  list(FILTER manual EXCLUDE REGEX "1$")
endif()
foreach(page ${manual})
  string(REGEX MATCH "[1-9]$" section ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
file(GLOB documents CONFIGURE_DEPENDS docs/*.md)
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY docs/images docs/api DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS
        FILES_MATCHING REGEX "[.](c|py|sh|yaml|yml|sbatch|ipynb)$")
