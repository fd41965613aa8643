# clang called directly: emcc would add 0.3 s of Python to each file. em++ does the linking.
include(${CMAKE_CURRENT_LIST_DIR}/../build/emscripten.cmake)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(EMSCRIPTEN ON)
set(CMAKE_C_COMPILER ${OM_LLVM}/clang${OM_LLVM_SUFFIX})
set(CMAKE_CXX_COMPILER ${OM_LLVM}/clang++${OM_LLVM_SUFFIX})
set(CMAKE_AR ${OM_LLVM}/llvm-ar${OM_LLVM_SUFFIX})
set(CMAKE_RANLIB ${OM_LLVM}/llvm-ranlib${OM_LLVM_SUFFIX})
set(CMAKE_CXX_LINK_EXECUTABLE "${OM_EMSCRIPTEN}/em++ <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")

# Relaxed SIMD is for the fast kernels only (layers.cmake), so that ccache compiles the rest once for both. Threads need
# objects of their own: thread-local variables made for them are not initialised in a module without.
set(flags "${OM_WASM_FLAGS} -msimd128")
if(ONEMODEL_FLAVOUR MATCHES threads)
  set(flags "${OM_WASM_FLAGS_THREADS} -msimd128")
endif()
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags}")
