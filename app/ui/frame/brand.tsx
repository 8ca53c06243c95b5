import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { Mark } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

/** The company's logo where there is one, else our mark and the company's name. */
export function Brand({ user }: { user: CurrentUser }) {
  const outside = user.is_super_admin && !user.is_impersonating
  const scope = user.current_sub_tenant ?? user.current_tenant
  const name = outside ? 'Liftwell' : scope.name
  const logo = outside ? null : (scope.logo ?? user.current_tenant.logo)
  return (
    <Link className="brand" to="/" prefetch="intent" title={name}>
      {logo ? <img className="brand-logo" src={logo} alt="" width={32} height={32} /> : <Mark />}
      <span className="brand-name">{name}</span>
    </Link>
  )
}
