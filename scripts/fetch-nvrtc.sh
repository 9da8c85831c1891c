#!/bin/sh
# Fetches NVRTC 12.9, NVIDIA's run-time compiler of CUDA C, into skald's cache from
# a PyPI wheel that is pinned by version and SHA-256. It compiles without a GPU;
# running what it makes needs NVIDIA's driver. Does nothing when it is there.
#
# The cache is $SKALD_CACHE, or ~/.cache/skald. Only the cache is written to,
# except that pip is installed for the user where Python lacks it.
# Exit status: 0 when it is there or no wheel is pinned for the system, 1 otherwise.
set -eu

say() { echo "fetch-nvrtc: $*"; }
fail() { say "$*" >&2; return 1; }

. "$(dirname "$0")/fetch.sh"

dir=$cache/nvrtc/12.9.86
digest=210cf05005a447e29214e9ce50851e83fc5f4358df8b453155d5e1918094dcb4

present "$dir" && { say "NVRTC 12.9: present in $dir"; exit 0; }
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || { say "no wheel is pinned for this system: CUDA C is not compiled here"; exit 0; }
writable
py=$(find_python)
work=$(mktemp -d "$cache/fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/out"
say "NVRTC 12.9: downloading the wheel nvidia-cuda-nvrtc-cu12 (90 MB)"
pip_download "$py" "$work" nvidia-cuda-nvrtc-cu12==12.9.86
check "$work"/*.whl "$digest"
"$py" - "$work"/*.whl "$work/out" <<'PY'
import os, sys, zipfile
wheel, out = sys.argv[1:]
with zipfile.ZipFile(wheel) as z:
    for n in z.namelist():
        base = os.path.basename(n)
        if "/lib/" in n and ".so" in base and ".alt." not in base:
            with open(os.path.join(out, base), "wb") as f:
                f.write(z.read(n))
PY
place "$work/out" "$dir"
say "NVRTC 12.9: now in $dir"
