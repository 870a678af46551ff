#!/usr/bin/env bash
# image-context.sh DIR: fills DIR with the env-runner's image, from target/ (mvn -pl env-runner-image package) and from
# Debian's crun, tini, busybox-static and libc. Be root: the cache of compiled classes is trained on a real cell.
#
# The result has /opt/tmax built in: interpreter and library path of every program, so that it runs in any root file
# system. Kept in $TMAX_CACHE/env-runner by content.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../dev/env.sh
source "$here/../dev/env.sh"
use_java

home=/opt/tmax
context=${1:?usage: image-context.sh DIR}
[ -e "$here/target/application/sandboxes.jar" ] || { echo "image-context.sh: build the jars first: mvn -pl env-runner-image -am package" >&2; exit 1; }
for program in crun tini-static patchelf busybox unshare; do
  command -v "$program" >/dev/null || { echo "image-context.sh: no $program here; packages: crun tini patchelf busybox-static util-linux" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "image-context.sh: be root: the class cache is trained on a real cell" >&2; exit 1; }

key=$({ cat "$here/image-context.sh" "$here/env-runner.sh" "$here/training.sh" "$JAVA_HOME/release"
  find "$here/target/application" -name '*.jar' -print0 | LC_ALL=C sort -z | xargs -0 cat
  cat "$here/target/env-runner.jar" "$(command -v crun)" "$(command -v tini-static)" "$(command -v busybox)" \
    /lib/x86_64-linux-gnu/libc.so.6; } | sha256sum | cut -c1-16)
kept=$TMAX_CACHE/env-runner/$key
if [ -d "$kept" ]; then
  cp -a "$kept/." "$context/"
  exit 0
fi

tree=$(mktemp -d)
work=$(mktemp -d /var/tmp/tmax-env-runner.XXXXXX)
trap 'rm -rf "$tree" "$work"' EXIT
mkdir -p "$tree/bin" "$tree/lib/locale" "$tree/cell" "$tree/app"

"$JAVA_HOME/bin/jlink" --add-modules java.base,jdk.httpserver --strip-debug --no-header-files --no-man-pages \
  --compress zip-6 --output "$tree/jre"
cp "$here/target/env-runner.jar" "$here/target/application"/*.jar "$tree/app/"
cp "$(command -v crun)" "$tree/bin/crun"
cp "$(command -v tini-static)" "$tree/bin/tini"
cp "$(command -v busybox)" "$tree/cell/busybox"
cp -r /usr/lib/locale/C.utf8 "$tree/lib/locale/"

# Libraries: the dynamic loader, what crun and the JVM link to, and what libc loads by name.
libraries() { ldd "$1" | sed -nE 's/.* => (\/[^ ]+) \(0x.*/\1/p; s/^[[:space:]]+(\/[^ ]+) \(0x.*/\1/p'; }
for library in $({ libraries "$tree/bin/crun"; libraries "$tree/jre/bin/java"; libraries "$tree/jre/lib/server/libjvm.so"
  ls /lib/x86_64-linux-gnu/lib{c,m,dl,pthread,rt,resolv,nss_dns,nss_files}.so.*; } | sort -u); do
  case $library in "$tree"/*) ;; *) cp -Lf "$library" "$tree/lib/" ;; esac
done
for program in jre/bin/java jre/lib/jspawnhelper bin/crun; do
  patchelf --set-interpreter "$home/lib/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$home/lib:$home/jre/lib" "$tree/$program"
done

classpath=$(cd "$tree/app" && printf "$home/app/%s\n" *.jar | paste -sd :)
sed "s|CLASSPATH|$classpath|" "$here/env-runner.sh" >"$tree/bin/env-runner"
chmod 755 "$tree/bin/env-runner" "$tree/jre/lib/jspawnhelper"
chmod -R go+rX "$tree"

unshare --mount --pid --fork --mount-proc "$here/training.sh" "$tree" "$work" "$classpath"

mkdir -p "$(dirname "$kept")"
rm -rf "$kept.part"
mv "$tree" "$kept.part"
mv "$kept.part" "$kept"
# Older versions that nobody took for a week.
find "$(dirname "$kept")" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +
cp -a "$kept/." "$context/"
