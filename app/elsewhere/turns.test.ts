import { expect, it } from 'vitest'
import { Turns } from './turns.ts'

it('gives whoever asks again what the first has made, and the turn to the next where it failed', () => {
  const turns = new Turns()
  const heard: [string, string | null][] = []
  const ask = (who: string) => turns.ask('key', (made) => heard.push([who, made]))
  for (const who of ['first', 'second', 'third']) ask(who)
  expect(heard).toEqual([['first', null]])
  turns.failed('key')
  expect(heard.splice(0)).toEqual([
    ['first', null],
    ['second', null],
  ])
  turns.made('key', 'a tenant', 60_000)
  ask('late')
  expect(heard).toEqual([
    ['third', 'a tenant'],
    ['late', 'a tenant'],
  ])
})

it('lets whoever comes after a failure that nobody waited for begin', () => {
  const turns = new Turns()
  const heard: (string | null)[] = []
  turns.ask('key', () => {})
  turns.failed('key')
  turns.ask('key', (made) => heard.push(made))
  expect(heard).toEqual([null])
})
