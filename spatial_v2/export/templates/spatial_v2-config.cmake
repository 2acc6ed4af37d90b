# find_package(spatial_v2) gives the targets spatial_v2::spatial_v2 and spatial_v2::static.
get_filename_component(_spatial_v2_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(_kind SHARED STATIC)
  if(_kind STREQUAL SHARED)
    set(_name spatial_v2::spatial_v2)
    set(_file "${_spatial_v2_prefix}/lib/libspatial_v2.so")
  else()
    set(_name spatial_v2::static)
    set(_file "${_spatial_v2_prefix}/lib/libspatial_v2.a")
  endif()
  if(EXISTS "${_file}" AND NOT TARGET ${_name})
    add_library(${_name} ${_kind} IMPORTED)
    set_target_properties(${_name} PROPERTIES
      IMPORTED_LOCATION "${_file}"
      INTERFACE_INCLUDE_DIRECTORIES "${_spatial_v2_prefix}/include"
      INTERFACE_LINK_LIBRARIES m)
  endif()
endforeach()
