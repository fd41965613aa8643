# Debian's packages: those installed into the system, and a private view of a newer release that leaves the system alone.

readonly suite=trixie

is_debian() { command -v apt-get dpkg-query >/dev/null; }

install_packages() {  # install_packages native|full
  local wanted=(g++ cmake ninja-build ccache protobuf-compiler libprotobuf-dev nlohmann-json3-dev libxxhash-dev
    googletest libonnx-testdata clang-format clang-tidy xz-utils)
  [[ $1 == native ]] || wanted+=(python3 brotli chromium fonts-dejavu-core)
  if ! is_debian; then
    local program
    for program in c++ cmake ninja protoc; do
      command -v $program >/dev/null || fail "$program is missing; on this system please install what Debian calls: ${wanted[*]}"
    done
    return
  fi
  local missing
  missing=$(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) \
    <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort))
  [[ -n $missing ]] || return 0
  echo "These Debian packages will be installed into the system:" $missing
  step "apt packages" apt_install $missing
}

apt_install() {
  local sudo=
  ((EUID == 0)) || sudo=sudo
  $sudo apt-get update
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# private_apt FOLDER deb|deb-src: sets apt_options so that apt reads only the newer release, from the mirror that the machine
# itself uses, and keeps its state in FOLDER.
private_apt() {
  local folder=$1 type=$2 mirror arch
  arch=$(dpkg --print-architecture)
  mirror=$(. /etc/os-release
    apt-get update --print-uris | sed -n "s#^'\(.*\)/dists/$VERSION_CODENAME/InRelease' .*#\1/#p" | head -1)
  [[ -n $mirror ]] || fail "the machine's apt sources name no Debian archive"
  rm -rf "$folder"
  mkdir -p "$folder"/{lists/partial,cache/archives/partial,none}
  : >"$folder/status"
  printf '%s\n' "Types: $type" "URIs: $mirror" "Suites: $suite" "Components: main" \
    "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg" >"$folder/suite.sources"
  apt_options=(-q -o Dir::Etc::sourcelist="$folder/suite.sources" -o Dir::Etc::sourceparts="$folder/none"
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$folder/none"
    -o Dir::State="$folder" -o Dir::State::Lists="$folder/lists" -o Dir::State::status="$folder/status"
    -o Dir::Cache="$folder/cache" -o Debug::NoLocking=1 -o APT::Architecture="$arch" -o APT::Architectures="$arch"
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=3
    -o Acquire::Check-Valid-Until=false)  # a mirror may lag; the signature is checked all the same
  apt-get "${apt_options[@]}" update
}
