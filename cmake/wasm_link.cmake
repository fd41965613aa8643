# om_wasm_link: how em++ links, for the module and for programs run in Node.
add_library(om_wasm_link INTERFACE)
target_link_options(om_wasm_link INTERFACE
  -fwasm-exceptions
  -sALLOW_MEMORY_GROWTH
  -sMAXIMUM_MEMORY=4032MB  # no address, aligned upwards to a segment of mimalloc, wraps to 0
  -sSTACK_SIZE=1MB
  -sMALLOC=mimalloc
  -Wl,--wrap=emmalloc_memalign,--wrap=emmalloc_free)  # see src/core/wasm_pages.cpp
if(ONEMODEL_FLAVOUR MATCHES threads)
  # Views of a growing shared memory are refreshed on each access; the package copies through few of them.
  target_link_options(om_wasm_link INTERFACE -pthread -Wno-pthreads-mem-growth)
endif()

# om_node_program(<target>): a command-line program that Node runs, with the machine's own files. -O1 leaves out
# wasm-opt, which takes longer than all the rest and matters only for size.
function(om_node_program name)
  set_target_properties(${name} PROPERTIES SUFFIX .cjs)
  target_link_libraries(${name} PRIVATE om_wasm_link)
  target_link_options(${name} PRIVATE -O1 -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME)
  if(ONEMODEL_FLAVOUR MATCHES threads)
    target_link_options(${name} PRIVATE -sENVIRONMENT=node,worker -sPTHREAD_POOL_SIZE=4)
  endif()
endfunction()

# Node 20 wants a flag for relaxed SIMD, which newer ones refuse.
find_program(NODE node REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${NODE})
if(ONEMODEL_FLAVOUR MATCHES relaxed)
  execute_process(COMMAND ${NODE} --experimental-wasm-relaxed-simd -e "" RESULT_VARIABLE refused ERROR_QUIET)
  if(refused EQUAL 0)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR --experimental-wasm-relaxed-simd)
  endif()
endif()
