import { describe, expect, it } from 'vitest'
import { movedAddress } from './moved-address.ts'

const moved = (query: string) => movedAddress('5', new URLSearchParams(query))

describe('An old address of the schedule', () => {
  it.each([
    ['create=true', '/lljs/5/schedule/lifts/new'],
    ['lift=7', '/lljs/5/lifts/7'],
    ['lift=7&page=3', '/lljs/5/lifts/7?page=3'],
    ['lift=7&block=0', '/lljs/5/lifts/7/blocks/0'],
    ['lift=7&prompt=short_text', '/lljs/5/lifts/7/prompts/short_text'],
    ['send=7&whom=ann&member_ids=1&member_ids=2', '/lljs/5/lifts/7/send?whom=ann&member_ids=1&member_ids=2'],
    ['test=7', '/lljs/5/lifts/7/test'],
    ['remove=7', '/lljs/5/lifts/7/delete'],
    ['participantsModal=true', '/lljs/5/people'],
    ['participantsModal=true&find=ann&members=2&page=4', '/lljs/5/people?find=ann&members=2'],
    ['participantsModal=true&people=ann&user_ids=1', '/lljs/5/people/add?people=ann&user_ids=1'],
    ['participantsModal=true&member=3', '/lljs/5/people/3'],
    ['participantsModal=true&member=3&leave=true&seek=ann', '/lljs/5/people/3/remove?seek=ann'],
    ['journeyModal=true', '/lljs/5/details'],
    ['objectives=true', '/lljs/5/objectives'],
    ['objectives=true&objective=2', '/lljs/5/objectives/2'],
    ['objectives=true&remove_objective=2', '/lljs/5/objectives/2/remove'],
    ['preview=true&user=3&as_of=2030-01-01', '/lljs/5/schedule/preview?user=3&as_of=2030-01-01'],
    ['launch=send', '/lljs/5/schedule/launch'],
    ['launch=skip', '/lljs/5/schedule/launch?past=skip'],
    ['ask=pause', '/lljs/5/schedule/pause'],
  ])('%s leads to %s', (query, path) => expect(moved(query)).toBe(path))

  it.each(['', 'page=2', 'lift=x', 'lift=0', 'lift=../users', 'ask=explode', 'launch=now', 'create=false'])(
    'without a valid dialog stays on the schedule: %s',
    (query) => expect(moved(query)).toBeNull(),
  )

  it('stays on this site, whatever it contains', () => {
    for (const query of [
      'lift=7&block=//evil.example',
      'lift=7&prompt=..%2F..',
      'participantsModal=true&member=//x',
    ])
      expect(new URL(moved(query) ?? '/', 'https://ours.example').origin).toBe('https://ours.example')
  })
})
