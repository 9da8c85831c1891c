#!/bin/sh
# Fetches Vulkan drivers that run on the CPU into skald's cache, so that kernels
# run where there is no GPU: lavapipe (Mesa 24 or newer) and SwiftShader (as
# Chromium carries it), with the Vulkan loader and every shared library that
# they need and the system lacks. Does nothing when they are there.
#
#   scripts/fetch-drivers.sh [lavapipe|swiftshader]...     default: both
#
# Works on Debian and what derives from it, without root: the packages come
# through apt with lists of its own, checked against the system's keys, and are
# unpacked in the cache ($SKALD_CACHE, or ~/.cache/skald). Nothing is installed.
# Exit status: 0 when every driver asked for is there, 1 otherwise.
set -eu

say() { echo "fetch-drivers: $*"; }
fail() { say "$*" >&2; return 1; }

. "$(dirname "$0")/fetch.sh"

drivers=$cache/drivers
work=
cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT

# apt COMMAND ...: an apt command that knows only the private lists.
apt() {
	command=$1
	shift
	"$command" -q -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
		-o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Acquire::http::Timeout=20 -o Acquire::Retries=1 -o Acquire::Languages=none -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" "$@"
}

# prepare: private package lists of the system's own release and its backports,
# from the mirror that the system is set up with.
prepare() {
	[ -z "$work" ] || return 0
	writable || return 1
	command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 ||
		{ fail "no apt on this system; install a Vulkan driver by its own means"; return 1; }
	site=$(apt-get indextargets --format '$(SITE)|$(COMPONENT)|$(RELEASE)' 'Created-By: Packages' |
		grep '|main|' | head -n 1)
	[ -n "$site" ] || { fail "apt has no package source set up"; return 1; }
	release=${site##*|}
	site=${site%%|*}
	key=
	for k in /usr/share/keyrings/debian-archive-keyring.gpg /usr/share/keyrings/ubuntu-archive-keyring.gpg; do
		[ -e "$k" ] && { key="[signed-by=$k] "; break; }
	done
	work=$(mktemp -d)
	mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
	echo "deb $key$site $release main" >"$work/sources.list"
	case $key in
	*debian*) echo "deb $key$site $release-backports main" >>"$work/sources.list" ;;
	*) echo "deb $key$site $release-updates main universe" >>"$work/sources.list" ;;
	esac
	say "reading package lists of $release"
	apt apt-get update >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; fail "the package lists could not be read"; return 1; }
}

# unpack PACKAGE[/RELEASE|=VERSION]...: downloads and unpacks into $work/root.
unpack() {
	mkdir -p "$work/debs" "$work/root"
	(cd "$work/debs" && rm -f ./*.deb && apt apt-get download "$@") >"$work/log" 2>&1 ||
		{ tail -n 3 "$work/log" >&2; fail "download of $* failed"; return 1; }
	for deb in "$work"/debs/*.deb; do
		dpkg-deb -x "$deb" "$work/root"
	done
}

# libraries DRIVER: copies those unpacked shared libraries that the driver needs
# to the cache, under the names that it asks for. skald loads them before it.
libraries() {
	mkdir -p "$drivers/lib"
	dirs=$(find "$work/root" -name '*.so.*' ! -path '*/chromium/*' -exec dirname {} \; | sort -u | tr '\n' ':')
	LD_LIBRARY_PATH=$dirs ldd "$1" | awk -v root="$work/root/" 'index($3, root) == 1 {print $1, $3}' |
		while read -r name path; do
			cp -L "$path" "$drivers/lib/$name"
		done
}

# shared: whether the drivers' shared libraries are there. Those of an earlier skald get their sums now.
shared() {
	[ -d "$drivers/lib" ] || return
	[ -e "$drivers/lib/SHA256SUMS" ] || seal "$drivers/lib"
}

# loader: the Vulkan loader, for where the system has none.
loader() {
	[ -e "$drivers/lib/libvulkan.so.1" ] && return
	unpack libvulkan1 || return 1
	mkdir -p "$drivers/lib"
	cp -L "$(find "$work/root" -name libvulkan.so.1 ! -path '*/chromium/*' | head -n 1)" "$drivers/lib/"
}

# mesa: prints the newest Mesa that apt knows, which must be 24 or newer.
mesa() {
	version=$(apt apt-cache madison mesa-vulkan-drivers | awk -F'|' '{gsub(/ /, "", $2); print $2}' | sort -Vr | head -n 1)
	[ "$(echo "$version" | cut -d. -f1)" -ge 24 ] 2>/dev/null ||
		{ fail "lavapipe: Mesa '$version' is too old; 24 is needed"; return 1; }
	echo "$version"
}

lavapipe() {
	dir=$drivers/lavapipe
	present "$dir" && shared && { say "lavapipe: present in $dir"; return; }
	prepare || return 1
	version=$(mesa) || return 1
	from="=$version"
	case $version in *~bpo*) from=/$release-backports ;; esac
	# What apt would install for it is what the system lacks.
	packages=$(apt apt-get install -s --no-install-recommends libvulkan1 "mesa-vulkan-drivers$from" 2>"$work/log" |
		awk '$1 == "Inst" {v = $3; if (v ~ /^\[/) v = $4; sub(/^\(/, "", v); print $2 "=" v}')
	[ -n "$packages" ] || packages="mesa-vulkan-drivers=$version libvulkan1"
	say "lavapipe: downloading Mesa $version"
	# shellcheck disable=SC2086 # one word a package
	unpack $packages || return 1
	mkdir -p "$dir"
	cp "$(find "$work/root" -name libvulkan_lvp.so)" "$dir/" || { fail "lavapipe: not in the package"; return 1; }
	libraries "$dir/libvulkan_lvp.so"
	manifest "$dir/lvp_icd.json" "$dir/libvulkan_lvp.so" 1.3.0
	loader || return 1
	finish "$dir" lavapipe
}

swiftshader() {
	dir=$drivers/swiftshader
	present "$dir" && shared && { say "SwiftShader: present in $dir"; return; }
	prepare || return 1
	say "SwiftShader: downloading chromium-common"
	unpack chromium-common || return 1
	mkdir -p "$dir"
	cp "$(find "$work/root" -name libvk_swiftshader.so)" "$dir/" || { fail "SwiftShader: not in the package"; return 1; }
	manifest "$dir/swiftshader_icd.json" "$dir/libvk_swiftshader.so" 1.1.0
	loader || return 1
	finish "$dir" SwiftShader
}

# manifest FILE LIBRARY VERSION: what the Vulkan loader reads.
manifest() {
	printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "%s"}}\n' "$2" "$3" >"$1"
}

finish() {
	missing=$(LD_LIBRARY_PATH=$drivers/lib ldd "$1"/*.so 2>/dev/null | awk '/not found/ {print $1}' | sort -u | tr '\n' ' ')
	[ -z "$missing" ] || { fail "$2: libraries missing: $missing"; return 1; }
	seal "$1"
	seal "$drivers/lib"
	rm -rf "$work/root"
	say "$2: now in $1"
}

[ $# -gt 0 ] || set -- lavapipe swiftshader
status=0
for what; do
	case $what in
	lavapipe) lavapipe || status=1 ;;
	swiftshader) swiftshader || status=1 ;;
	*) fail "unknown driver $what" || status=1 ;;
	esac
done
exit $status
