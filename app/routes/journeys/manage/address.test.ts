import { describe, expect, it } from 'vitest'
import { movedAddress } from './address.ts'

const moved = (query: string) => movedAddress(new URLSearchParams(query))

describe('An old address of the list of journeys', () => {
  it.each([
    ['create=true', '/lljs/manage/new'],
    ['import=true', '/lljs/manage/import'],
    ['edit=7', '/lljs/manage/7/details'],
    ['edit_author=7', '/lljs/manage/7/author'],
    ['author_of=7&writer=ann', '/lljs/manage/7/author?writer=ann'],
    ['duplicate=7', '/lljs/manage/7/duplicate'],
    ['archive=7', '/lljs/manage/7/archive'],
    ['page=2&status=draft&status=active&delete=7', '/lljs/manage/7/delete?page=2&status=draft&status=active'],
  ])('%s leads to %s', (query, path) => expect(moved(query)).toBe(path))

  it.each([
    '',
    'page=2&name=create',
    'create=false',
    'edit=',
    'edit=x',
    'edit=0',
    'delete=-1',
    'edit=../users',
  ])('without a valid dialog stays on the list: %s', (query) => expect(moved(query)).toBeNull())
})
