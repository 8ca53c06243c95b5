/** A person's place and identity: what a page was rendered for, and so what its forms may change. */
import type { CurrentUser } from './current-user.ts'

export type FormScope = {
  id: string
  name: string
}

type Whereabouts = {
  user_id: number | null
  tenant_id: string
  sub_tenant_id: string | null
  is_impersonating: boolean
}

export const scopeId = ({ user_id, tenant_id, sub_tenant_id, is_impersonating }: Whereabouts): string =>
  [user_id, tenant_id, sub_tenant_id ?? '', is_impersonating ? 'inside' : ''].join('/')

export function formScopeOf(user: CurrentUser): FormScope {
  const { id: user_id, current_tenant, current_sub_tenant, is_impersonating } = user
  const id = scopeId({
    user_id,
    tenant_id: current_tenant.id,
    sub_tenant_id: current_sub_tenant?.id ?? null,
    is_impersonating,
  })
  const names = [current_tenant.name, current_sub_tenant?.name].filter(Boolean).join(', ')
  return { id, name: `${names} (as ${user.name || user.email})` }
}

export const markOf = ({ id, name }: FormScope): string => `${id} ${name.slice(0, 300)}`

export function readMark(mark: string): FormScope {
  const [id = '', ...words] = mark.split(' ')
  return { id, name: words.join(' ').slice(0, 300) || 'another place' }
}
