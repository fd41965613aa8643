# step NAME COMMAND...: runs a command quietly and prints how long it took; when it fails, also the end of what it said.
step() {
  local name=$1 log start=$SECONDS status
  shift
  log=$(mktemp)
  printf '▸ %s … ' "$name"
  set +e
  (set -e; "$@") >"$log" 2>&1
  status=$?
  set -e
  if ((status == 0)); then
    echo "$((SECONDS - start)) s"
  else
    echo "failed after $((SECONDS - start)) s"
    tail -n 40 "$log" >&2
  fi
  rm -f "$log"
  return $status
}

fail() {
  echo "bootstrap: $*" >&2
  exit 1
}
