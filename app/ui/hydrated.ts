import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and in the first client render: parts that need JavaScript appear after hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
