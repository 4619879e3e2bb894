# install.cmake - what `cmake --install` puts where, and the files that find it again
# SPDX-License-Identifier: Apache-2.0

set(bl_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/broadloom)

install(TARGETS broadloom broadloom_static EXPORT broadloomTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET broadloom_glslang)
  install(TARGETS broadloom_glslang LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES include/broadloom/broadloom.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/broadloom)

# ---- find_package(broadloom) ---------------------------------------------------
install(EXPORT broadloomTargets NAMESPACE broadloom:: DESTINATION ${bl_package_dir})
configure_package_config_file(cmake/broadloomConfig.cmake.in broadloomConfig.cmake
                              INSTALL_DESTINATION ${bl_package_dir})
# Before 1.0 a minor version may break what compiled before.
write_basic_package_version_file(broadloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadloomConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/broadloomConfigVersion.cmake
        DESTINATION ${bl_package_dir})

# ---- pkg-config ----------------------------------------------------------------
file(RELATIVE_PATH bl_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" bl_pc_to_prefix "${bl_pc_to_prefix}")
configure_file(cmake/broadloom.pc.in broadloom.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/broadloom.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- The tool --------------------------------------------------------------------
if(BL_BUILD_CONFORM)
  install(TARGETS broadloom_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES man/broadloom.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/broadloom.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME broadloom)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
