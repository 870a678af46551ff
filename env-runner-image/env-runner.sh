#!/opt/tmax/cell/busybox sh
# What a sandbox pod runs. Needs nothing of the image around it. tini reaps what cells leave behind.
# Names of files are UTF-8 to the env-runner; what the image says of locales is kept for its cells.
[ -z "${LC_ALL+set}" ] || export TMAX_IMAGE_LC_ALL="$LC_ALL"
[ -z "${LOCPATH+set}" ] || export TMAX_IMAGE_LOCPATH="$LOCPATH"
export LC_ALL=C.UTF-8 LOCPATH=/opt/tmax/lib/locale
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS LD_PRELOAD LD_LIBRARY_PATH
exec /opt/tmax/bin/tini -s -- /opt/tmax/jre/bin/java ${TMAX_JAVA_OPTIONS:--XX:AOTCache=/opt/tmax/env-runner.aot} \
  -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xms8m -Xmn4m -Xmx96m \
  -Dsun.net.httpserver.nodelay=true -cp CLASSPATH dev.tmax.envrunner.EnvRunner
