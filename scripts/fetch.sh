# What the fetching scripts share; they source it. It sets `cache`, the folder that they fetch into, and needs say and fail.
# shellcheck shell=sh

cache=${SKALD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/skald}

# skald takes no code from folders that others may write.
umask 022

# present FOLDER: whether a folder was fetched as a whole. One of an earlier skald gets its sums now.
present() {
	[ -e "$1/SHA256SUMS" ] && return
	[ -e "$1/done" ] && seal "$1"
}

# seal FOLDER: writes the SHA-256 of each file there; skald compares them when it loads one.
seal() {
	rm -f "$1/SHA256SUMS"
	for f in "$1"/*; do
		echo "$(sha256 "$f")  $(basename "$f")"
	done >"$1/.sums"
	mv "$1/.sums" "$1/SHA256SUMS"
}

# writable: makes the cache, or says why nothing can be fetched.
writable() {
	mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] ||
		{ fail "the cache $cache cannot be written; SKALD_CACHE names another place"; return 1; }
}

# sha256 FILE: prints the digest with whichever tool is here.
sha256() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# check FILE DIGEST: refuses a file that is not the pinned one.
check() {
	got=$(sha256 "$1")
	[ "$got" = "$2" ] || fail "$(basename "$1") has SHA-256 $got, expected $2: not used"
}

# find_python: prints a Python that has pip, installing pip if need be. Its name is not that of a command, or it would find itself.
find_python() {
	found=
	for p in python3 python; do
		command -v "$p" >/dev/null 2>&1 || continue
		found=$p
		"$p" -m pip --version >/dev/null 2>&1 && { echo "$p"; return; }
		say "$p has no pip: installing it" >&2
		"$p" -m ensurepip --user >/dev/null 2>&1 && { echo "$p"; return; }
		command -v apt-get >/dev/null 2>&1 && apt-get install -y -q python3-pip >/dev/null 2>&1 && { echo "$p"; return; }
	done
	if [ -n "$found" ]; then
		fail "pip is needed, and could not be installed; install it (python3-pip) and try again"
	else
		fail "Python 3 with pip is needed; install them and try again"
	fi
}

# pip_download PYTHON FOLDER REQUIREMENT: downloads a wheel, and gives up soon where there is no network.
pip_download() {
	"$1" -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --timeout 15 --retries 2 -d "$2" "$3" >"$2/log" 2>&1 ||
		{ grep -v '^WARNING: Retrying' "$2/log" | tail -n 2 >&2; fail "the download of $3 failed; is there a network?"; return 1; }
}

# place FOLDER DESTINATION: moves what was unpacked to its place in the cache at once, so that no half of it is ever found there.
place() {
	seal "$1"
	mkdir -p "$(dirname "$2")" && rm -rf "$2" && mv "$1" "$2" || { fail "$2 cannot be written"; return 1; }
}
