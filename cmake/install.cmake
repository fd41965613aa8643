# cmake --install: headers, libraries and find_package(onemodel) for native programs
set(package lib/cmake/onemodel)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/onemodelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(DIRECTORY include/ DESTINATION include)
install(DIRECTORY src/ DESTINATION include/onemodel FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
install(TARGETS onemodel ${OM_LAYERS} om_onnx_proto om_xnnpack om_threads EXPORT onemodel
  ARCHIVE DESTINATION lib INCLUDES DESTINATION include/onemodel)
install(FILES ${xnnpack}/lib/libXNNPACK.a ${xnnpack}/lib/libpthreadpool.a DESTINATION lib)
install(EXPORT onemodel NAMESPACE onemodel:: DESTINATION ${package})
install(FILES cmake/onemodelConfig.cmake ${PROJECT_BINARY_DIR}/onemodelConfigVersion.cmake DESTINATION ${package})
install(FILES LICENSE NOTICE DESTINATION share/doc/onemodel)
