#!/bin/sh
# Fetches Neovim and Helix into skald's cache, so that tests can try the lines of docs/editors.md: the versions of Debian unstable, which are
# newer than those of most systems, with every library that they need. Does nothing when they are there.
#
# Works on Debian and what derives from it, without root: see fetch-drivers.sh. Exit status: 0 when they are there, 1 otherwise.
set -eu

say() { echo "fetch-editors: $*"; }
fail() { say "$*" >&2; exit 1; }

. "$(dirname "$0")/fetch.sh"

# shellcheck disable=SC2154 # fetch.sh sets it
dir=$cache/editors
[ ! -e "$dir/complete" ] || { say "present in $dir"; exit; }
writable || exit 1
command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || fail "no apt on this system"
key=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$key" ] || fail "no keys of Debian's archive on this system (debian-archive-keyring)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$dir"
: >"$work/status" # nothing counts as installed, so all libraries come
echo "deb [signed-by=$key] http://deb.debian.org/debian sid main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "$work/sources.list"; Dir::Etc::SourceParts "/dev/null"; Dir::State::Lists "$work/lists";
Dir::State::status "$work/status"; Dir::Cache "$work/cache"; Debug::NoLocking "1"; APT::Sandbox::User "$(id -un)";
Acquire::http::Timeout "20"; Acquire::Retries "1"; Acquire::Languages "none";
END
export APT_CONFIG="$work/apt.conf"
say "reading package lists"
apt-get -q update >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; fail "the package lists could not be read"; }
say "downloading Neovim and Helix"
apt-get -q install -y --no-install-recommends --download-only neovim hx >"$work/log" 2>&1 ||
	{ tail -n 3 "$work/log" >&2; fail "the download failed"; }
rm -rf "$dir/root" && mkdir -p "$dir/root" "$dir/bin"
for deb in "$work"/cache/archives/*.deb; do
	dpkg-deb -x "$deb" "$dir/root"
done
loader=$(find "$dir/root" -name 'ld-linux*.so.*' ! -type d | head -n 1)
libraries=$(dirname "$(find "$dir/root" -name 'libc.so.6' | head -n 1)")
[ -n "$loader" ] && [ -n "$libraries" ] || fail "no loader of libraries in the packages"

# wrapper NAME PROGRAM ARGUMENTS: a command that runs a fetched program with fetched libraries.
wrapper() {
	cat >"$dir/bin/$1" <<END
#!/bin/sh
export VIMRUNTIME='$dir/root/usr/share/nvim/runtime' HELIX_RUNTIME='$dir/root/usr/lib/hx/runtime'
exec '$loader' --library-path '$libraries' '$dir/root/$2' $3 "\$@"
END
	chmod +x "$dir/bin/$1"
}
wrapper nvim usr/bin/nvim "--cmd 'set runtimepath+=$dir/root/usr/lib/nvim'"
wrapper hx usr/lib/hx/hx ""
"$dir/bin/nvim" --version | head -n 1
"$dir/bin/hx" --version
touch "$dir/complete"
say "now in $dir"
