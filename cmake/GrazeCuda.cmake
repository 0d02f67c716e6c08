# The CUDA compiler, for GRAZE_CUDA=ON; with AUTO, GRAZE_CUDA becomes OFF if there is none that knows C++20. Code is made
# for the H100 and H200 (sm_90), and as PTX for every GPU from sm_80 on, which the driver compiles when it meets one.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)
endif()
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
if(GRAZE_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "graze: no queries for GPUs, because there is no CUDA compiler")
    set(GRAZE_CUDA OFF)
    return()
  endif()
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
  if(GRAZE_CUDA STREQUAL "AUTO")
    message(STATUS "graze: no queries for GPUs, because CUDA ${CMAKE_CUDA_COMPILER_VERSION} has no C++20")
    set(GRAZE_CUDA OFF)
    return()
  endif()
  message(FATAL_ERROR "GRAZE_CUDA needs CUDA 12 or later, which knows C++20; this is ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
set(GRAZE_CUDA ON)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 knows C++20 of older compilers only
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
find_package(CUDAToolkit REQUIRED)

# graze_cuda_settings(TARGET): how sources for the GPU are compiled. -fmad=false for the reason of -ffp-contract=off
# (cmake/GrazeTargets.cmake); division and square root are those of IEEE 754 by default.
function(graze_cuda_settings target)
  set_target_properties(
    ${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                         VISIBILITY_INLINES_HIDDEN ON CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(${target} PRIVATE -fmad=false --expt-relaxed-constexpr)
  target_compile_definitions(${target} PRIVATE GRAZE_BUILDING $<$<BOOL:${BUILD_SHARED_LIBS}>:GRAZE_SHARED>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE CUDA::cudart_static CUDA::nvtx3)
endfunction()
