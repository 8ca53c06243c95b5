# Migration and seeding before a first start run in a separate process: their memory would otherwise stay in one that runs
# for months. A signal meanwhile ends that process in order, and nothing is started after it.
# Fixed thresholds return freed memory to the system: glibc would otherwise raise both as it runs.
export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
export NODE_COMPILE_CACHE=build/compiled
set -- --max-semi-space-size=8 --heap-growing-percent=20 server.ts
if [ "$DATABASE_URL" ] || [ -d "${DATA_DIR:-data}/postgres" ]; then exec node "$@"; fi

node "$@" --prepare &
preparing=$!
trap 'code=143; kill $preparing 2>/dev/null' TERM INT
wait $preparing || code=${code:-$?}
# A signal also interrupts `wait`, before the process has ended.
while kill -0 $preparing 2>/dev/null; do wait $preparing; done
trap - TERM INT
[ "$code" ] && exit "$code"
exec node "$@"
