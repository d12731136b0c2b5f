# What `make install` puts where: headers, both libraries, pkg-config file, CMake package, manual, documents, examples.
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
install(DIRECTORY include/locbo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/locbo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT locboTargets NAMESPACE locbo:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo)
install(FILES ${PROJECT_BINARY_DIR}/locboConfig.cmake ${PROJECT_BINARY_DIR}/locboConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/locbo)

file(GLOB manual CONFIGURE_DEPENDS docs/man/*.[1-9])
foreach(page ${manual})
  string(REGEX MATCH "[1-9]$" section ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
file(GLOB documents CONFIGURE_DEPENDS docs/*.md)
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c")
