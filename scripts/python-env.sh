#!/bin/sh
# Makes a virtual environment with the packages of PyPI that tests use, in skald's cache, and prints the path of its Python.
# Does nothing but that when it is there. The versions are pinned in scripts/requirements.txt.
#
# Exit status: 0 when it is there, 1 when it could not be made: then standard error says why.
set -eu

say() { echo "python-env: $*" >&2; }
fail() { say "$*"; return 1; }

. "$(dirname "$0")/fetch.sh"

requirements=$(dirname "$0")/requirements.txt
# shellcheck disable=SC2154 # fetch.sh sets it
env=$cache/python/$(sha256 "$requirements" | cut -c1-16)
if [ -e "$env/complete" ]; then
	echo "$env/bin/python"
	exit
fi
writable
python=$(find_python)
say "making $env" >&2
rm -rf "$env"
"$python" -m venv "$env" >&2 || fail "$python cannot make virtual environments (python3-venv)"
"$env/bin/python" -m pip install --quiet --disable-pip-version-check --timeout 20 --retries 1 -r "$requirements" >&2 ||
	fail "pip could not install what $requirements lists"
touch "$env/complete"
echo "$env/bin/python"
