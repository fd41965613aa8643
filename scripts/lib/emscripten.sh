# Emscripten: a good one on PATH, else Debian's newer one unpacked into the cache. Debian 12's own (3.1.6) lacks the final
# relaxed-SIMD instructions.

readonly emscripten_minimum=3.1.69

usable_emscripten() {  # usable_emscripten FOLDER: new enough, and compiles what we use
  local version probe status=0
  version=$("$1/emcc" -dumpversion 2>/dev/null) || return 1
  printf '%s\n' $emscripten_minimum "${version%%-*}" | sort -VC || return 1
  probe=$(mktemp -d)
  cat >"$probe/probe.cpp" <<'CPP'
#include <wasm_simd128.h>
int f(int);
int g(int x) { try { return f(x); } catch (int) { return 1; } }
v128_t h(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_relaxed_madd(a, b, c); }
CPP
  "$1/em++" -O1 -pthread -msimd128 -mrelaxed-simd -fwasm-exceptions -c "$probe/probe.cpp" -o "$probe/probe.o" || status=1
  rm -rf "$probe"
  return $status
}

unpack_emscripten() {  # unpack_emscripten PREFIX: afterwards PREFIX must not be moved
  local prefix=$1 root=$1/root usr=$1/root/usr apt=$1/apt llvm libraries archive folder file
  rm -rf "$root"
  private_apt "$apt" deb
  mkdir -p "$root" "$apt/debs"
  llvm=$(apt-cache "${apt_options[@]}" depends emscripten | sed -n 's/^ *Depends: clang-\([0-9]*\)$/\1/p' | head -1)
  [[ -n $llvm ]] || fail "$suite has no emscripten"

  # Libraries with all that they need; of the programs only these packages, as python3 and node are the machine's own.
  libraries=$(apt-get -q "${apt_options[@]}" install -y --no-install-recommends --print-uris \
      "libclang-cpp$llvm" "libllvm$llvm" binaryen patchelf |
    sed -n "s/^'[^']*' \([^_ ]*\)_.*/\1/p" | grep -vE '^(gcc-.*-base|libc-gconv.*)$')
  (cd "$apt/debs" && apt-get "${apt_options[@]}" download $libraries \
    emscripten "clang-$llvm" "lld-$llvm" "llvm-$llvm" "libclang-common-$llvm-dev" node-acorn)
  for archive in "$apt"/debs/*.deb; do  # without documentation and the variants of the system libraries that we never link
    dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$root" --exclude='./usr/share/doc*' --exclude='./usr/share/man' \
      --exclude='./usr/share/locale' --exclude='./usr/lib/*/gconv' --exclude='*/wasm32-emscripten/*pic' \
      --exclude='*/wasm32-emscripten/*-ww*' --exclude='*/wasm32-emscripten/*[alu][sb]san*' \
      --exclude='*/wasm32-emscripten/*-tracing*'
  done
  for file in "$usr/lib/llvm-$llvm/bin/"*; do  # most of LLVM's programs are never run by Emscripten
    case ${file##*/} in
      clang | clang++ | lld | wasm-ld | llvm-ar | llvm-ranlib | llvm-nm | llvm-objcopy | llvm-strip | llvm-dwarfdump) ;;
      llvm-dwp | llvm-cxxfilt | llvm-symbolizer | llvm-size | llvm-profdata) ;;
      *) rm -f "$file" ;;
    esac
  done
  find "$usr/bin" -xtype l -delete
  rm -rf "$usr/lib/llvm-$llvm"/{build,include}
  use_own_libraries "$usr" "$llvm" "$apt"
  configure_emscripten "$usr" "$llvm"
  usable_emscripten "$usr/share/emscripten"
  rm -rf "$apt"
}

# Programs and libraries get the loader and the C library of their own release, as the machine's may be older.
use_own_libraries() {
  local usr=$1 llvm=$2 apt=$3 libraries loader tools glibc file
  libraries=$(dirname "$(find "$usr/lib" -name libc.so.6 | head -1)")
  loader=$(readlink -f "$(find "$usr" -name 'ld-linux*.so.*' | head -1)")
  tools=$apt/patchelf  # a copy, since patchelf rewrites the very libraries that it runs with
  mkdir "$tools"
  cp -L "$usr/bin/patchelf" "$loader" "$libraries"/{libstdc++.so.6,libgcc_s.so.1,libm.so.6,libc.so.6} "$tools/"
  patchelf() { "$tools/${loader##*/}" --library-path "$tools" "$tools/patchelf" "$@"; }
  glibc=$(dpkg-deb -c "$apt"/debs/libc6_*.deb | awk '{print $6}' | sed 's#.*/##' | sort -u)
  find "$usr/bin" "$usr/lib/llvm-$llvm/bin" "$libraries" -type f \( -perm -u+x -o -name '*.so*' \) |
    while IFS= read -r file; do
      [[ $(head -c4 "$file" | od -An -tx1 | tr -d ' \n') == 7f454c46 ]] || continue
      grep -qxF "${file##*/}" <<<"$glibc" && continue  # the C library itself must not be rewritten
      patchelf --force-rpath --set-rpath "$libraries" "$file"
      if patchelf --print-interpreter "$file" >/dev/null 2>&1; then patchelf --set-interpreter "$loader" "$file"; fi
    done
}

configure_emscripten() {
  local usr=$1 llvm=$2 home=$1/share/emscripten node module
  node=$(command -v node) || fail "node is not on PATH"
  mkdir -p "$home/node_modules"
  for module in acorn acorn-import-phases; do  # copies: node follows links, and would then look beside the original
    if [[ -e $usr/share/nodejs/$module ]]; then cp -rL "$usr/share/nodejs/$module" "$home/node_modules/"; fi
  done
  cat >"$home/.emscripten" <<PY
LLVM_ROOT = '$usr/bin'
BINARYEN_ROOT = '$usr'
NODE_JS = '$node'
LLVM_ADD_VERSION = '$llvm'
CLANG_ADD_VERSION = '$llvm'
EMSCRIPTEN_ROOT = '$home'
CACHE = '$home/cache'
FROZEN_CACHE = True
PY
}

install_emscripten() {  # install_emscripten CACHE: sets emscripten to the folder of emcc
  local found prefix=$1/emscripten/$suite
  if found=$(command -v emcc) && usable_emscripten "$(dirname "$found")" >/dev/null 2>&1; then
    emscripten=$(dirname "$found")
    return
  fi
  emscripten=$prefix/root/usr/share/emscripten
  [[ -e $prefix/.ready && $(<"$prefix/.ready") == "$prefix" ]] && return
  is_debian || fail "Emscripten $emscripten_minimum or newer must be on PATH"
  mkdir -p "$prefix"
  step "Emscripten" unpack_emscripten "$prefix"
  echo "$prefix" >"$prefix/.ready"
}

describe_emscripten() {  # what cmake/wasm.toolchain.cmake needs to call clang as emcc would
  local llvm suffix
  llvm=$("$emscripten/em-config" LLVM_ROOT)
  suffix=$(cd "$llvm" && ls | sed -n 's/^clang\(-[0-9]*\)\?$/\1/p' | sort | tail -1)
  cat <<CMAKE
set(OM_EMSCRIPTEN $emscripten)
set(OM_LLVM $llvm)
set(OM_LLVM_SUFFIX $suffix)
set(OM_WASM_FLAGS "$("$emscripten/em++" --cflags -fwasm-exceptions)")
set(OM_WASM_FLAGS_THREADS "$("$emscripten/em++" --cflags -fwasm-exceptions -pthread)")
CMAKE
}
