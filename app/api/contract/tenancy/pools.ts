import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { pageOf, pageQuery } from '#app/domain/page.ts'
import { PoolInput, PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { RefusedSignIn } from '#app/domain/pools/refused-sign-in.ts'
import { SharedPool, SharedPoolInput } from '#app/domain/pools/screen-rules.ts'

const { get, post, put } = callsAbout('Tenants')

export const getTenantPool = get('/tenants/{id}/pool', {
  does: 'How the tenant’s people sign in (super admins)',
  may: 'manage pool',
  ids: z.object({ id: z.uuid() }),
  answers: TenantPool,
})

export const updateTenantPool = put('/tenants/{id}/pool', {
  does: 'Change how they sign in: those who are signed in by another way are logged out (super admins)',
  may: 'manage pool',
  ids: z.object({ id: z.uuid() }),
  body: PoolInput,
  answers: TenantPool,
  audited: true,
})

export const testTenantPool = post('/tenants/{id}/pool/test', {
  does: 'Test a configuration before it is saved; reports what the provider publishes (super admins)',
  may: 'manage pool',
  ids: z.object({ id: z.uuid() }),
  body: PoolInput,
  answers: PoolReport,
  audited: false,
  repeats: 'each time',
})

export const listRefusedSignIns = get('/tenants/{id}/pool/refusals', {
  does: 'Recently refused sign-ins, and why, newest first (super admins)',
  may: 'manage pool',
  ids: z.object({ id: z.uuid() }),
  query: pageQuery(['date']).pick({ page: true, per_page: true }),
  answers: pageOf(RefusedSignIn),
})

export const getSharedPool = get('/pools/shared', {
  does: 'The rules of the sign-in that companies share (super admins)',
  may: 'manage tenants',
  answers: SharedPool,
})

export const updateSharedPool = put('/pools/shared', {
  does: 'Change the rules of the sign-in that companies share (super admins)',
  may: 'manage tenants',
  body: SharedPoolInput,
  answers: SharedPool,
  audited: true,
})
