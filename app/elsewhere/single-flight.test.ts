import { expect, it } from 'vitest'
import { SingleFlight } from './single-flight.ts'

it('A single flight gives later callers its result, or the turn to the next caller after a failure', () => {
  const flights = new SingleFlight()
  const heard: [string, string | null][] = []
  const ask = (who: string) => flights.ask('key', (made) => heard.push([who, made]))
  for (const who of ['first', 'second', 'third']) ask(who)
  expect(heard).toEqual([['first', null]])
  flights.failed('key')
  expect(heard.splice(0)).toEqual([
    ['first', null],
    ['second', null],
  ])
  flights.made('key', 'a tenant', 60_000)
  ask('late')
  expect(heard).toEqual([
    ['third', 'a tenant'],
    ['late', 'a tenant'],
  ])
})

it('A single flight lets a new caller begin after a failure that nobody waited for', () => {
  const flights = new SingleFlight()
  const heard: (string | null)[] = []
  flights.ask('key', () => {})
  flights.failed('key')
  flights.ask('key', (made) => heard.push(made))
  expect(heard).toEqual([null])
})
