#!/bin/sh
# Fetches the WebGPU libraries that skald can use into its cache: wgpu-native 29
# (from a PyPI wheel, with its headers) and Dawn (from an npm package).
# Both are pinned by version and SHA-256. Does nothing when they are there.
#
#   scripts/fetch-webgpu.sh [wgpu-native|dawn]...     default: both
#
# The cache is $SKALD_CACHE, or ~/.cache/skald. Only the cache is written to,
# except that pip is installed for the user where Python lacks it.
# Exit status: 0 when every library asked for is there, 1 otherwise.
set -eu

wheel_version=0.32.0
system=$(uname -s)-$(uname -m)

say() { echo "fetch-webgpu: $*"; }
fail() { say "$*" >&2; return 1; }

. "$(dirname "$0")/fetch.sh"

work=
cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT

# begin: an empty folder for one download, in the cache, so that what is in it can be moved to its place.
begin() {
	writable || return 1
	cleanup
	work=$(mktemp -d "$cache/fetch-XXXXXX") && mkdir "$work/out"
}

wgpu_native() {
	dir=$cache/webgpu/wgpu-native-29
	present "$dir" && { say "wgpu-native 29: present in $dir"; return; }
	case $system in
	Linux-x86_64) digest=6499a31b5a29a10b4f1089fea4a0806411f42605fa86b6c0b543a07ca0de8568 ;;
	Linux-aarch64) digest=00454ba1bc794d38c8365f4ad29f381b88ce0a7f115133bfaa6f1dfad7eb2764 ;;
	Darwin-arm64) digest=6c3f654ea01ab2de8a2903354ced02a3c6ef161d0fba1aa4fea60aa86d021908 ;;
	Darwin-x86_64) digest=cfd3967616a3c42e2b7a234407df38668c697f5aa505d56e0814d647b6746302 ;;
	MINGW*-x86_64 | MSYS*-x86_64) digest=493c8a0425c7d3cc728a2489bce40d1a016d800306e59763ff1b21e176e66323 ;;
	*) fail "wgpu-native: no wheel is known for $system"; return 1 ;;
	esac
	begin || return 1
	py=$(find_python) || return 1
	say "wgpu-native 29: downloading the wheel wgpu $wheel_version"
	pip_download "$py" "$work" "wgpu==$wheel_version" || return 1
	check "$work"/wgpu-*.whl "$digest" || return 1
	"$py" - "$work"/wgpu-*.whl "$work/out" <<-'PY' || { fail "wgpu-native: the wheel could not be unpacked"; return 1; }
		import sys, zipfile, os
		wheel, out = sys.argv[1:]
		with zipfile.ZipFile(wheel) as z:
		    for n in z.namelist():
		        if n.startswith("wgpu/resources/") and n.endswith((".so", ".dylib", ".dll", "webgpu.h", "wgpu.h")):
		            with open(os.path.join(out, os.path.basename(n)), "wb") as f:
		                f.write(z.read(n))
	PY
	place "$work/out" "$dir" || return 1
	say "wgpu-native 29: now in $dir"
}

dawn() {
	dir=$cache/webgpu/dawn-2025-06
	present "$dir" && { say "Dawn: present in $dir"; return; }
	case $system in
	Linux-x86_64)
		package=bun-webgpu-linux-x64@0.1.7
		digest=8badfecdad4e726ac12be4f29771f4cbd7ce7683b4418316a547c5bda94fb798 ;;
	Darwin-arm64)
		package=bun-webgpu-darwin-arm64@0.1.5
		digest=9df19c84e89cb739d3e75c10116ae14c21435555e6cb32dbcb654d4d1e95975d ;;
	Darwin-x86_64)
		package=bun-webgpu-darwin-x64@0.1.5
		digest=e2bedd5ab803f2c8b0615ddbf57e65173c52bfa8f88f35493d8cded3ba033b60 ;;
	MINGW*-x86_64 | MSYS*-x86_64)
		package=bun-webgpu-win32-x64@0.1.5
		digest=a5837dcd2ad4c4f96d561e945408894617d23f476cc10ba8142a0c26d2d59d76 ;;
	*) fail "Dawn: no package is known for $system"; return 1 ;;
	esac
	command -v npm >/dev/null 2>&1 || { fail "Dawn: npm is needed to download it"; return 1; }
	begin || return 1
	say "Dawn: downloading the npm package $package"
	(cd "$work" && npm pack --silent --fetch-retries=1 --fetch-timeout=30000 "$package" >log 2>&1) ||
		{ fail "Dawn: the download of $package failed; is there a network?"; return 1; }
	check "$work"/*.tgz "$digest" || return 1
	tar -xzf "$work"/*.tgz -C "$work" && cp "$work"/package/*webgpu_wrapper* "$work"/package/LICENSE "$work/out/" ||
		{ fail "Dawn: the package could not be unpacked"; return 1; }
	place "$work/out" "$dir" || return 1
	say "Dawn: now in $dir"
}

[ $# -gt 0 ] || set -- wgpu-native dawn
status=0
for what; do
	case $what in
	wgpu-native) wgpu_native || status=1 ;;
	dawn) dawn || status=1 ;;
	*) fail "unknown library $what" || status=1 ;;
	esac
done
exit $status
