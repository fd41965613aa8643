# Pinned sources of third parties, and their libraries, each built once per recipe, flags and compiler.

source_folder() {  # source_folder NAME: where its unpacked sources are
  awk -v name="$1" -v root="$cache/sources" '$1 == name { print root "/" name "-" substr($2, 1, 12) }' third_party/manifest.txt
}

fetch_sources() {
  local name hash tarball folder unpacked top download=$cache/sources/download
  rm -rf "$download"
  mkdir -p "$download"
  if [[ -z ${ONEMODEL_SOURCES-} ]]; then
    is_debian || fail "set ONEMODEL_SOURCES to a folder with the tarballs that third_party/manifest.txt names"
    private_apt "$download/apt" deb-src
  fi
  grep -v '^#' third_party/manifest.txt | while read -r name hash tarball; do
    folder=$(source_folder $name)
    [[ ! -d $folder ]] || continue
    if [[ -n ${ONEMODEL_SOURCES-} ]]; then
      cp "$ONEMODEL_SOURCES/$tarball" "$download/"
    else
      (cd "$download" && apt-get "${apt_options[@]}" source --tar-only $name)
    fi
    echo "$hash  $download/$tarball" | sha256sum --check --strict
    unpacked=$download/$name
    mkdir "$unpacked"
    tar -x -f "$download/$tarball" -C "$unpacked"
    top=("$unpacked"/*)
    ((${#top[@]} > 1)) || unpacked=${top[0]}  # most tarballs, not all, hold one folder
    mv "$unpacked" "$folder"
  done
  rm -rf "$download"
}

sources_present() {
  local name rest
  while read -r name rest; do
    [[ $name == '#' || -d $(source_folder $name) ]] || return 1
  done <third_party/manifest.txt
}

# build_library NAME FLAVOUR CMAKE-ARGUMENTS...: builds third_party/NAME; sets library to its folder (include/ and lib/)
build_library() {
  local name=$1 flavour=$2 key
  shift 2
  key=$({ printf '%s\n' "${@//$PWD/}" "$compilers"; cat third_party/manifest.txt $(find third_party/$name -type f | sort); } | sha256sum)
  library=$cache/build/$name-$flavour-${key:0:12}
  [[ -d $library ]] || step "$name for $flavour" cmake_install third_party/$name "$library" "$@"
}

cmake_install() {  # cmake_install SOURCE PREFIX ARGUMENTS...: PREFIX appears only when complete
  local source=$1 prefix=$2
  shift 2
  rm -rf "$prefix".{build,new}
  cmake -G Ninja -S "$source" -B "$prefix.build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix.new" "$@"
  cmake --build "$prefix.build" -j "$(nproc)"
  cmake --install "$prefix.build"
  mv "$prefix.new" "$prefix"
  rm -rf "$prefix.build"
}
