# Targets for what scripts/bootstrap brought: om_threads, om_headers, om_xnnpack, om_onnx_proto, om_gtest.
include(${PROJECT_SOURCE_DIR}/build/third_party.cmake OPTIONAL)
string(REPLACE -threads "" instructions ${ONEMODEL_FLAVOUR})
set(xnnpack ${OM_XNNPACK_${instructions}})
if(NOT xnnpack)
  message(FATAL_ERROR "The third-party libraries for ${ONEMODEL_FLAVOUR} are missing: run scripts/bootstrap")
endif()

add_library(om_threads INTERFACE)
if(NOT EMSCRIPTEN)
  find_package(Threads REQUIRED)
  target_link_libraries(om_threads INTERFACE Threads::Threads)
endif()

# nlohmann/json and xxHash: header-only, linked one by one so that a wasm build sees nothing else of the system's headers
add_library(om_headers INTERFACE)
set(headers ${PROJECT_BINARY_DIR}/third_party/include)
file(MAKE_DIRECTORY ${headers})
foreach(header nlohmann xxhash.h)
  file(CREATE_LINK ${OM_HEADERS}/${header} ${headers}/${header} SYMBOLIC)
endforeach()
target_include_directories(om_headers SYSTEM INTERFACE ${headers})
target_compile_definitions(om_headers INTERFACE XXH_INLINE_ALL)

# om_xnnpack: XNNPACK on pthreadpool
set(pthreadpool pthreadpool)
if(EMSCRIPTEN AND NOT ONEMODEL_FLAVOUR MATCHES threads)
  set(pthreadpool pthreadpool-single)
endif()
add_library(om_xnnpack INTERFACE)
target_include_directories(om_xnnpack SYSTEM INTERFACE $<BUILD_INTERFACE:${xnnpack}/include>)
foreach(archive libXNNPACK.a lib${pthreadpool}.a)
  target_link_libraries(om_xnnpack INTERFACE
    $<BUILD_INTERFACE:${xnnpack}/lib/${archive}> $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/lib/${archive}>)
endforeach()
target_link_libraries(om_xnnpack INTERFACE om_threads)

# onnx.pb.{h,cc}; generated code does not meet our warnings
find_program(PROTOC protoc REQUIRED)
set(onnx_pb ${PROJECT_BINARY_DIR}/third_party/onnx)
file(MAKE_DIRECTORY ${onnx_pb})
add_custom_command(
  OUTPUT ${onnx_pb}/onnx.pb.cc ${onnx_pb}/onnx.pb.h
  COMMAND ${PROTOC} --cpp_out=${onnx_pb} -I ${OM_ONNX_PROTO} onnx.proto
  DEPENDS ${OM_ONNX_PROTO}/onnx.proto)
add_library(om_onnx_proto STATIC ${onnx_pb}/onnx.pb.cc)
target_compile_options(om_onnx_proto PRIVATE -w $<$<BOOL:${EMSCRIPTEN}>:-Oz>)
target_include_directories(om_onnx_proto SYSTEM PUBLIC $<BUILD_INTERFACE:${onnx_pb}>)
if(EMSCRIPTEN)
  target_include_directories(om_onnx_proto SYSTEM PUBLIC ${OM_PROTOBUF_wasm}/include)
  target_link_libraries(om_onnx_proto PUBLIC ${OM_PROTOBUF_wasm}/lib/libprotobuf-lite.a)
else()
  find_package(Protobuf REQUIRED)
  target_link_libraries(om_onnx_proto PUBLIC protobuf::libprotobuf-lite)
endif()

if(ONEMODEL_TESTS)
  set(gtest ${OM_GTEST})
  add_library(om_gtest STATIC EXCLUDE_FROM_ALL
    ${gtest}/googletest/src/gtest-all.cc ${gtest}/googlemock/src/gmock-all.cc ${gtest}/googlemock/src/gmock_main.cc)
  target_compile_options(om_gtest PRIVATE -w -O1)
  target_include_directories(om_gtest SYSTEM
    PUBLIC ${gtest}/googletest/include ${gtest}/googlemock/include PRIVATE ${gtest}/googletest ${gtest}/googlemock)
  target_link_libraries(om_gtest PUBLIC om_threads)
endif()
