# onemodel_wasm: the module that the npm package loads, web/dist/wasm/onemodel-<variant>.{mjs,wasm}
file(GLOB sources CONFIGURE_DEPENDS bindings/*.cpp)
if(NOT sources)
  return()
endif()
string(REPLACE wasm- "" variant ${ONEMODEL_FLAVOUR})
add_executable(onemodel_wasm ${sources})
set_target_properties(onemodel_wasm PROPERTIES
  OUTPUT_NAME onemodel-${variant}
  SUFFIX .mjs
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_SOURCE_DIR}/web/dist/wasm)
target_include_directories(onemodel_wasm PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(onemodel_wasm PRIVATE onemodel om_flags om_headers om_wasm_link)
om_small(onemodel_wasm)
set_source_files_properties(bindings/call_buffer.cpp bindings/operators.cpp PROPERTIES COMPILE_OPTIONS -O3)
set(exported HEAP8,HEAPU8,HEAP16,HEAPU16,HEAP32,HEAPU32,HEAPF32,HEAPF64,stackSave,stackRestore)
if(ONEMODEL_FLAVOUR MATCHES threads)
  string(APPEND exported ,PThread)  # with which the workers of a start that fails are ended
  target_link_options(onemodel_wasm PRIVATE "-sPTHREAD_POOL_SIZE=Module['poolSize']")
endif()
target_link_options(onemodel_wasm PRIVATE
  -O3
  --no-entry
  -lembind
  -sSTRICT
  -sMODULARIZE
  -sEXPORT_ES6
  -sEXPORT_NAME=createOnemodel
  -sENVIRONMENT=web,worker,node
  -sDYNAMIC_EXECUTION=0
  -sEXPORTED_RUNTIME_METHODS=${exported})

set(adapt ${PROJECT_SOURCE_DIR}/scripts/adapt-module.mjs)
add_custom_command(TARGET onemodel_wasm POST_BUILD COMMAND ${NODE} ${adapt} $<TARGET_FILE:onemodel_wasm> VERBATIM)
set_property(TARGET onemodel_wasm APPEND PROPERTY LINK_DEPENDS ${adapt})
