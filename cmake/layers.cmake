# A WebAssembly module is downloaded, so there what does not loop over elements is compiled for size.
function(om_small target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Oz)
  endif()
endfunction()

# om_layer(<name> <layers it may use>...): the library om_<name> of src/<name>. A layer without sources only passes on
# what it depends on.
set(OM_LAYERS)
function(om_layer name)
  set(dir ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${dir}/*.cpp ${dir}/*/*.cpp)
  list(TRANSFORM ARGN PREPEND om_ OUTPUT_VARIABLE below)
  if(sources)
    add_library(om_${name} STATIC ${sources})
    target_include_directories(om_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
    target_link_libraries(om_${name} PUBLIC ${below} PRIVATE $<BUILD_INTERFACE:om_flags> $<BUILD_INTERFACE:om_headers>)
    if(NOT name STREQUAL kernels)
      om_small(om_${name})
    endif()
  else()
    add_library(om_${name} INTERFACE)
    target_include_directories(om_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
    target_link_libraries(om_${name} INTERFACE ${below})
  endif()
  set(OM_LAYERS ${OM_LAYERS} om_${name} PARENT_SCOPE)
endfunction()

# om_link(<layer> <library>): a library that only the sources of that layer see.
function(om_link layer library)
  get_target_property(type om_${layer} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    target_link_libraries(om_${layer} PRIVATE ${library})
  endif()
endfunction()

# Of the other layers, these loop over elements, or run for each eager call and each step of training. Their options come
# after the layer's.
set(quick core/dims core/generator core/math core/math_inverse core/math_trig core/storage core/tensor core/tensor_views
  eager/apply eager/autograd eager/call_key eager/prepared_call eager/record eager/recording nn/adam_step nn/optimizer
  ops/grad ops/kernel)
list(TRANSFORM quick REPLACE "(.+)" "src/\\1.cpp")
set_source_files_properties(${quick} PROPERTIES COMPILE_OPTIONS -O3)

# Neither flag changes a result; without them the compiler does not vectorise comparisons and roundings.
file(GLOB portable CONFIGURE_DEPENDS src/kernels/portable/*.cpp)
set(portable_options -fno-math-errno -fno-trapping-math)
set_source_files_properties(${portable} PROPERTIES COMPILE_OPTIONS "${portable_options}")

# In a module that is downloaded, only loops that are measurably faster unrolled, or compiled for speed at all, are.
if(EMSCRIPTEN)
  list(FILTER portable EXCLUDE REGEX "/(fold|gemm_tile|recurrent.*)\\.cpp$")
  set_source_files_properties(${portable} PROPERTIES COMPILE_OPTIONS "${portable_options};-fno-unroll-loops")
  list(FILTER portable INCLUDE REGEX "/(grid_sample|matmul|roi_align|scatter)\\.cpp$")
  set_source_files_properties(${portable} PROPERTIES COMPILE_OPTIONS "${portable_options};-Os")
endif()

# The fast kernels promise no bits: fused multiply-add is welcome.
file(GLOB fast CONFIGURE_DEPENDS src/kernels/xnn/*.cpp)
set(fast_options -fno-math-errno -fno-trapping-math -ffp-contract=fast)
if(ONEMODEL_FLAVOUR MATCHES relaxed)
  list(APPEND fast_options -mrelaxed-simd)
endif()
set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS "${fast_options}")

if(ONEMODEL_SANITIZE)
  file(GLOB readers CONFIGURE_DEPENDS src/format/*.cpp src/onnx/*.cpp src/onnx/*/*.cpp)
  set_source_files_properties(${readers} PROPERTIES COMPILE_OPTIONS "-fsanitize=alignment")
endif()
