# shellcheck shell=bash
# Where things lie, and how the server is configured. Needs ../lib/common.sh.

# Debug information for symbols; no optional library, so that the build needs little; dependency
# tracking, so that `make` redoes the units whose headers changed.
configure_options=(
  --without-readline
  --without-icu
  --enable-depend
  --enable-debug
  "CC=ccache gcc"
  "CFLAGS=-g -O2"
)

postgres_cache=$(cache_dir postgres)

# set_build_paths VERSION: one folder for each version and set of options.
set_build_paths() {
  local options_key
  options_key=$(printf '%s\n' "${configure_options[@]}" | sha256sum | cut -c1-8)
  build_home=$postgres_cache/$1-$options_key
  # shellcheck disable=SC2034 # for the scripts that source this file, and for ../lib/profile.sh
  {
    stamps=$build_home/stamps
    tree=$build_home/src
    tree_unpacked=$build_home/unpacked.list
    tree_sums=$build_home/pristine.sha256
    install_prefix=$build_home/install
    # `make install DESTDIR=..` puts the instrumented server below; it finds its files relative to
    # itself. So the clients and the data's preparation never run instrumented code.
    instrumented_root=$build_home/instrumented
    instrumented_prefix=$instrumented_root$install_prefix
  }
}

# use_built_tree: the paths of the build that `build` made last.
use_built_tree() {
  [[ -f $postgres_cache/version ]] || usage_error "PostgreSQL is not built yet: run bench/postgres/build"
  set_build_paths "$(cat "$postgres_cache/version")"
  [[ -e $stamps/installed ]] || usage_error "PostgreSQL is not built yet: run bench/postgres/build"
}
