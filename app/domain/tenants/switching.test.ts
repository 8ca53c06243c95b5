import { describe, expect, it } from 'vitest'
import { type Choice, findChoices, SubTenantSwitchForm, TenantSwitchForm } from './switching.ts'

const leaf = (place: string, name: string, isActive = true): Choice => ({
  place,
  name,
  isActive,
  subTenants: [],
})
const choices = [
  { ...leaf('1', 'Acme'), subTenants: [leaf('1/1', 'North'), leaf('1/2', 'Süd')] },
  { ...leaf('2', 'Globex North'), subTenants: [leaf('2/1', 'East')] },
]
const named = (words: string) =>
  findChoices(choices, words).map(({ name, subTenants }) => [name, ...subTenants.map((part) => part.name)])

describe('The switcher', () => {
  it('finds tenants and sub-tenants by name, ignoring case', () => {
    expect(named('')).toEqual([
      ['Acme', 'North', 'Süd'],
      ['Globex North', 'East'],
    ])
    expect(named(' NORTH ')).toEqual([
      ['Acme', 'North'],
      ['Globex North', 'East'],
    ])
    expect(named('SÜD')).toEqual([['Acme', 'Süd']])
    expect(named('acme')).toEqual([['Acme', 'North', 'Süd']])
    expect(named('.*')).toEqual([])
  })

  it('requires a possible tenant or sub-tenant, and a reason from super admins', () => {
    const place = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
    expect(TenantSwitchForm.safeParse({ place, reason: 'Asked' }).success).toBe(true)
    expect(TenantSwitchForm.safeParse({ place }).success).toBe(false)
    expect(TenantSwitchForm.safeParse({ place, reason: ' \u200b ' }).success).toBe(false)
    expect(SubTenantSwitchForm.safeParse({ place: `${place}/${place}` }).success).toBe(true)
    // In front of another server ids are numbers or texts.
    expect(SubTenantSwitchForm.safeParse({ place: '7/north-1' }).success).toBe(true)
    for (const wrong of ['', '/', 'a b', `${place}/`, `${place}/${place}/${place}`])
      expect(SubTenantSwitchForm.safeParse({ place: wrong }).success).toBe(false)
  })
})
