# shellcheck shell=bash
# Debian packages: install what a build needs, fetch a source package. Needs common.sh.
#
# Source packages come from the machine's own suites. Their deb-src entries are derived into a private
# apt configuration with its own lists and cache, so that the system's configuration stays as it is.

# install_packages NAME...: those that are missing.
install_packages() {
  local missing=() package become_root=()
  for package in "$@"; do
    package_installed "$package" || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null || fail "missing packages; run as root: apt-get install ${missing[*]}"
    become_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${become_root[@]}" apt-get -qq update
  "${become_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

package_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# The one-line format: `deb [options] uri suite component..`.
source_entries_one_line() {
  awk '/^[ \t]*deb(-src)?[ \t]/ { sub(/^[ \t]*deb(-src)?/, "deb-src"); if (!seen[$0]++) print }' "$@"
}

# The deb822 format: paragraphs of fields; only the field Types changes, disabled paragraphs go.
source_entries_deb822() {
  awk '
    function flush() { if (text != "" && !disabled) printf "%s\n", text; text = ""; disabled = 0 }
    /^[ \t]*$/ { flush(); next }
    FNR == 1 { flush() }
    /^#/ { next }
    tolower($0) ~ /^types:/ { $0 = "Types: deb-src" }
    tolower($0) ~ /^enabled:[ \t]*(no|false|off|0|without|disable)[ \t]*$/ { disabled = 1 }
    { text = text $0 "\n" }
    END { flush() }' "$@"
}

# write_source_entries DIR: the configured sources as deb-src entries.
write_source_entries() {
  local dir=$1 etc one_line=() deb822=() file
  etc=$(apt-config shell dir Dir::Etc/d | sed -n "s/^dir='\(.*\)'$/\1/p")
  for file in "$etc"sources.list "$etc"sources.list.d/*.list; do
    [[ ! -f $file ]] || one_line+=("$file")
  done
  for file in "$etc"sources.list.d/*.sources; do
    [[ ! -f $file ]] || deb822+=("$file")
  done
  mkdir -p "$dir"
  rm -f "$dir"/derived.*
  [[ ${#one_line[@]} -eq 0 ]] || source_entries_one_line "${one_line[@]}" >"$dir/derived.list"
  [[ ${#deb822[@]} -eq 0 ]] || source_entries_deb822 "${deb822[@]}" >"$dir/derived.sources"
}

# private_apt DIR PROGRAM ARGS...: apt-get or apt-cache on the derived entries alone.
private_apt() {
  local dir=$1 program=$2
  shift 2
  "$program" -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$dir/sources.d" \
    -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" "$@"
}

# newest_first DIR PACKAGE: the versions of a source package, one a line.
newest_first() {
  private_apt "$1" apt-cache showsrc --only-source "$2" | awk '/^Version:/ { print $2 }' | sort -ruV
}

# fetch_debian_source PACKAGE DIR: download the newest version there is, write it to DIR/version.
# A mirror's index can be ahead of its pool, then the next older version serves.
fetch_debian_source() {
  local package=$1 dir=$2 version
  local apt=$dir/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$dir/download"
  write_source_entries "$apt/sources.d"
  # apt downloads as its own user where it has one.
  if [[ $EUID -eq 0 ]] && id _apt >/dev/null 2>&1; then
    chown _apt "$apt/lists/partial" "$apt/cache/archives/partial" "$dir/download"
  fi
  private_apt "$apt" apt-get -qq update || say "some source lists could not be read; going on with the rest"
  for version in $(newest_first "$apt" "$package"); do
    say "fetching the source package $package $version"
    if (cd "$dir/download" &&
      private_apt "$apt" apt-get -qq source --download-only --only-source "$package=$version"); then
      printf '%s\n' "$version" >"$dir/version"
      return 0
    fi
    say "$package $version is listed but cannot be fetched"
  done
  fail "no version of the source package $package can be fetched; check the machine's apt sources"
}

# unpack_debian_source PACKAGE VERSION DOWNLOAD-DIR TARGET
unpack_debian_source() {
  local package=$1 version=$2 download=$3 target=$4
  # The version in a file name has no epoch.
  local dsc=$download/${package}_${version#*:}.dsc
  rm -rf "$target"
  dpkg-source --no-check --no-copy -x "$dsc" "$target" >/dev/null
}
