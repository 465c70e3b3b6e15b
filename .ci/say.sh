# shellcheck shell=bash
# Progress lines, steps and errors. Sourced by ./dev.

fail() {
  printf 'dev: %s\n' "$1" >&2
  exit 1
}

# Prints, while a step runs, how long it has been running and the last line of its log: in place on
# a terminal, else as a plain line every 20 seconds. It ends by itself if we are interrupted. The
# sleeps hold no copy of our output, so that a pipe we write to closes when we end.
report_progress() {
  local text=$1 log=$2 start=$SECONDS last
  while sleep 1 >/dev/null 2>&1 && kill -0 $$; do
    last=$(tail -n 1 "$log" 2>/dev/null | tr -d '\r' | cut -c 1-70) || last=""
    if [[ -t 1 ]]; then
      printf '\r\033[K   %s: %d s  %s' "$text" $((SECONDS - start)) "$last"
    elif (((SECONDS - start) % 20 == 0)); then
      printf '   %s: %d s  %s\n' "$text" $((SECONDS - start)) "$last"
    fi
  done
}

stop_progress() {
  if [[ -n ${PROGRESS_PID:-} ]]; then
    kill "$PROGRESS_PID" 2>/dev/null || true
    wait "$PROGRESS_PID" 2>/dev/null || true
    PROGRESS_PID=""
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
  fi
}

# run_step NAME TEXT ADVICE COMMAND...
# Runs the command with its output in .deps/log/NAME.log. If it fails: ADVICE, and exit code 1.
run_step() {
  local name=$1 text=$2 advice=$3 log rc=0 start=$SECONDS
  shift 3
  log="$DEPS/log/$name.log"
  mkdir -p "$DEPS/log"
  : >"$log"
  printf -- '-- %s\n' "$text"
  report_progress "$text" "$log" 2>/dev/null &
  PROGRESS_PID=$!
  "$@" >"$log" 2>&1 </dev/null || rc=$?
  stop_progress
  if ((rc != 0)); then
    if [[ ${CI:-} == true ]]; then tail -n 60 "$log" >&2; fi
    fail "$advice (full output: ${log#"$ROOT"/})"
  fi
  printf '   done in %d s\n' $((SECONDS - start))
}

# A stamp keeps the hash of what a step was made from, so that it runs again only after a change.
# stamp_of TEXT... prints the hash; stamp_is NAME HASH tests it; stamp_set NAME HASH keeps it.
stamp_of() { printf '%s\n' "$@" | sha256sum | cut -d ' ' -f 1; }
stamp_is() { [[ -f "$DEPS/stamp/$1" && $(<"$DEPS/stamp/$1") == "$2" ]]; }
stamp_set() {
  mkdir -p "$DEPS/stamp"
  printf '%s\n' "$2" >"$DEPS/stamp/$1"
}
