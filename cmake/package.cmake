# package.cmake - what `make dist` puts into archives (CPack)
# SPDX-License-Identifier: Apache-2.0
#
# Times in them are SOURCE_DATE_EPOCH, which tools/dist.sh sets, and owners are 0, so that the same
# sources give the same bytes.
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" bl_machine)
set(CPACK_PACKAGE_NAME broadloom)
set(CPACK_PACKAGE_VENDOR "The Broadloom authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME broadloom-${PROJECT_VERSION}-${bl_machine})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# The machine's build has no say in what the sources are: tools/dist.sh hands in a clean export.
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME broadloom-${PROJECT_VERSION}-source)
# Below the sources only: they may lie in a folder of such a name themselves, as those of make dist do.
string(REGEX REPLACE "([+.*?()$|])" "[\\1]" bl_here "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES "^${bl_here}/build/" "^${bl_here}/build-[^/]*/" "^${bl_here}/out/" "^${bl_here}/[.]git/"
    "__pycache__")
include(CPack)
