import { expect, it } from 'vitest'
import { doTogether } from './together.ts'

/** Work that ends on demand. */
function slowly() {
  const done: string[] = []
  const ending: (() => void)[] = []
  const add = doTogether(async (key, items: readonly string[]) => {
    await new Promise<void>((resolve) => ending.push(resolve))
    done.push(`${key}: ${items.join(' ')}`)
    if (items.includes('bad')) throw new Error('It is bad.')
    return items.map((item) => item.toUpperCase())
  })
  const soon = () => new Promise((resolve) => setImmediate(resolve))
  /** Ends all running work. */
  const end = async () => {
    await soon()
    for (const resolve of ending.splice(0)) resolve()
    await soon()
  }
  return { add, done, end }
}

it('Work that arrives meanwhile is done in one batch for each key', async () => {
  const { add, done, end } = slowly()
  const first = add('a', 'one')
  await Promise.resolve()
  const others = [add('a', 'two'), add('b', 'three'), add('a', 'four')]
  await end()
  await end()
  expect(await Promise.all([first, ...others])).toEqual(['ONE', 'TWO', 'THREE', 'FOUR'])
  expect(done).toEqual(['a: one', 'b: three', 'a: two four'])
})

it('A batch that fails is done again one item at a time', async () => {
  const { add, end } = slowly()
  const results = Promise.allSettled([add('a', 'good'), add('a', 'bad'), add('a', 'fine')])
  await end()
  await end()
  expect(await results).toEqual([
    { status: 'fulfilled', value: 'GOOD' },
    { status: 'rejected', reason: new Error('It is bad.') },
    { status: 'fulfilled', value: 'FINE' },
  ])
})
