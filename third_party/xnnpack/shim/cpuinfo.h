// The part of pytorch/cpuinfo that XNNPACK's x86-64 build calls, answered by the compiler's own CPU detection: Debian 12
// has a cpuinfo older than XNNPACK needs, and no other suite that we take sources from carries one that builds there.
#pragma once
#include <stdbool.h>
#include <cpuid.h>
static inline bool cpuinfo_initialize(void) { __builtin_cpu_init(); return true; }
static inline bool cpuinfo_has_x86_sse2(void) { return true; }
static inline bool cpuinfo_has_x86_ssse3(void) { return __builtin_cpu_supports("ssse3"); }
static inline bool cpuinfo_has_x86_sse4_1(void) { return __builtin_cpu_supports("sse4.1"); }
static inline bool cpuinfo_has_x86_avx(void) { return __builtin_cpu_supports("avx"); }
static inline bool cpuinfo_has_x86_avx2(void) { return __builtin_cpu_supports("avx2"); }
static inline bool cpuinfo_has_x86_fma3(void) { return __builtin_cpu_supports("fma"); }
static inline bool cpuinfo_has_x86_f16c(void) {
  unsigned a, b, c, d;
  return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 29));
}
static inline bool cpuinfo_has_x86_avx512f(void) { return __builtin_cpu_supports("avx512f"); }
static inline bool cpuinfo_has_x86_avx512bw(void) { return __builtin_cpu_supports("avx512bw"); }
static inline bool cpuinfo_has_x86_avx512dq(void) { return __builtin_cpu_supports("avx512dq"); }
static inline bool cpuinfo_has_x86_avx512vl(void) { return __builtin_cpu_supports("avx512vl"); }
static inline bool cpuinfo_has_x86_avx512vbmi(void) { return __builtin_cpu_supports("avx512vbmi"); }
static inline bool cpuinfo_has_x86_avx512vnni(void) { return __builtin_cpu_supports("avx512vnni"); }
static inline bool cpuinfo_has_x86_gfni(void) { return __builtin_cpu_supports("gfni"); }
static inline bool cpuinfo_has_x86_avx512fp16(void) { return false; }
static inline bool cpuinfo_has_x86_avx10(void) { return false; }
static inline bool cpuinfo_has_x86_avxvnni(void) { return false; }
static inline bool cpuinfo_has_x86_avx_vnni_int8(void) { return false; }
static inline bool cpuinfo_has_x86_amx_int8(void) { return false; }
enum cpuinfo_uarch { cpuinfo_uarch_unknown = 0, cpuinfo_uarch_zen = 0x00200109, cpuinfo_uarch_dhyana = 0x00300100 };
struct cpuinfo_core { enum cpuinfo_uarch uarch; };
static inline const struct cpuinfo_core* cpuinfo_get_core(unsigned index) {
  static struct cpuinfo_core zen = {cpuinfo_uarch_zen}, other = {cpuinfo_uarch_unknown};
  (void)index;
  __builtin_cpu_init();
  return __builtin_cpu_is("znver1") ? &zen : &other;
}
