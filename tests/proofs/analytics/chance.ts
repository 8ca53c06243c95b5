/** A seeded random generator: the same seed gives the same numbers. */
export function chance(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const upTo = (most: number): number => Math.floor(next() * (most + 1))
  return {
    upTo,
    isTrue: (share: number): boolean => next() < share,
    /** One of the elements; undefined for an empty list. */
    one: <T>(of: readonly T[]): T => of[upTo(of.length - 1)] as T,
  }
}
export type Chance = ReturnType<typeof chance>
