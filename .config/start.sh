# What migrates and seeds before a first start would stay in the memory of a process that runs for months: it runs before
# that one, and apart. A signal meanwhile ends it in order, and nothing comes after it.
# What is freed goes back: left alone, glibc raises both thresholds as it runs.
export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
export NODE_COMPILE_CACHE=build/compiled
set -- --max-semi-space-size=8 --heap-growing-percent=20 server.ts
if [ "$DATABASE_URL" ] || [ -d "${DATA_DIR:-data}/postgres" ]; then exec node "$@"; fi

node "$@" --prepare &
preparing=$!
trap 'code=143; kill $preparing 2>/dev/null' TERM INT
wait $preparing || code=${code:-$?}
# A signal ends the waiting, too, before there is nobody to wait for.
while kill -0 $preparing 2>/dev/null; do wait $preparing; done
trap - TERM INT
[ "$code" ] && exit "$code"
exec node "$@"
